import { setMaxListeners } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { FaultCounter, type Faults } from '../cells/cell.js'
import { Random } from '../random.js'
import { Integrator, type Keys } from '../world/integrator.js'
import { assertEndedWell } from '../world/phone.js'
import type { Processes } from '../world/processes.js'
import { CuttingProxy } from '../world/proxy.js'
import { Service } from '../world/service.js'
import { Customer } from './customer.js'
import { EventReceiver } from './event-receiver.js'
import type { SubscriptionHistory } from './judge-subscription.js'
import { killRepeatedly } from './kills.js'
import { messagesPerAccount, planSubscriptions, type Scale } from './scale.js'

const pollInterval = 100
const reportInterval = 30_000
/**
 * Milliseconds without a delivery after which the rest counts as lost; a retry takes at most 36 s.
 */
const maxWait = 90_000

/** A relay, its customers and the receivers of their webhooks. */
export class EventWorld {
  readonly customers: Customer[] = []
  readonly #processes: Processes
  readonly #scale: Scale
  readonly #seed: number
  readonly #data: string
  readonly #proxy = new CuttingProxy()
  readonly #service: Service
  readonly #stop = new AbortController()

  constructor(processes: Processes, scale: Scale, seed: number) {
    this.#processes = processes
    this.#scale = scale
    setMaxListeners(0, this.#stop.signal)
    this.#seed = seed
    this.#data = join(processes.makeDirectory(), 'data')
    this.#service = new Service(processes, { data: this.#data }, this.#proxy)
  }

  get receivers(): EventReceiver[] {
    return this.customers.flatMap(({ receivers }) => receivers)
  }

  /** Starts the relay with its accounts and their subscriptions. */
  async begin(): Promise<void> {
    const port = await this.#proxy.start()
    await this.#service.start()
    for (const [place, plans] of planSubscriptions(this.#scale).entries()) {
      const receivers = plans.map((plan, at) => {
        const name = `${place}-${at}-${plan.event}`
        return new EventReceiver(name, plan, this.#scale.timeOuts, new Random(this.#seed, name))
      })
      const keys = await this.#createAccount(`customer-${place}@example.com`)
      const random = new Random(this.#seed, `customer ${place}`)
      const messages = messagesPerAccount(this.#scale)
      this.customers.push(new Customer(new Integrator(port, keys), receivers, messages, random))
    }
    for (const customer of this.customers) await customer.begin()
  }

  /** Creates all events during the kills; waits until all are delivered or deliveries stop. */
  async run(): Promise<Faults> {
    const { signal } = this.#stop
    const counter = new FaultCounter()
    const random = new Random(this.#seed, 'kills')
    const progress = { delivered: () => this.#delivered / this.#planned, left: () => this.#left }
    const { kills } = this.#scale
    const deliveries = this.#waitForDeliveries()
    const running = [
      killRepeatedly(this.#service, kills, progress, random, counter, signal),
      ...this.customers.map(customer => customer.work(signal)),
      deliveries,
    ]
    try {
      await Promise.all(running)
    } catch (error) {
      const gaveUp = signal.aborted
      this.#stop.abort()
      await Promise.allSettled(running)
      if (!gaveUp) throw error
    }
    const { made, planned, absent } = counter.faults
    const late = this.#left > 0 ? [`${this.#left} deliveries`] : []
    const fewer = made < kills && absent.length === 0 ? [`${kills - made} kills`] : []
    return { made, planned, absent: [...absent, ...fewer, ...late] }
  }

  /** Restarts the relay and resolves to the expected and the actual deliveries. */
  async histories(): Promise<SubscriptionHistory[]> {
    await this.#stopService()
    await this.#service.start()
    const all: SubscriptionHistory[] = []
    for (const { integrator, receivers, acknowledged } of this.customers) {
      const records = await integrator.events()
      for (const { name, plan, arrivals } of receivers) {
        const recorded = records
          ?.filter(({ event }) => event === plan.event)
          .map(({ sequence, message }) => ({ sequence, message: message.id }))
        all.push({ name, acknowledged: acknowledged.get(plan.event) ?? [], recorded, arrivals })
      }
    }
    await this.#stopService()
    return all
  }

  /** Ends all processes and servers. */
  async close(): Promise<void> {
    this.#stop.abort()
    await this.#service.process.end('SIGKILL')
    for (const { integrator } of this.customers) integrator.close()
    await this.#proxy.stop()
    await Promise.all(this.receivers.map(receiver => receiver.stop()))
  }

  get #delivered(): number {
    return this.receivers.reduce((sum, receiver) => sum + receiver.messages.size, 0)
  }

  /** Number of planned deliveries; random ones are not counted. */
  get #planned(): number {
    const messages = messagesPerAccount(this.#scale)
    return planSubscriptions(this.#scale).reduce(
      (sum, plans) => sum + messages * (plans.length > 2 ? 3 : 2),
      0,
    )
  }

  get #left(): number {
    return Math.max(this.#planned - this.#delivered, 0)
  }

  async #waitForDeliveries(): Promise<void> {
    let delivered = 0
    let since = performance.now()
    let reported = since
    while (this.#delivered < this.#planned) {
      await sleep(pollInterval, undefined, { signal: this.#stop.signal })
      if (this.#delivered > delivered) {
        delivered = this.#delivered
        since = performance.now()
      }
      const now = performance.now()
      if (now - since > maxWait) this.#stop.abort()
      if (now - reported > reportInterval) {
        reported = now
        process.stderr.write(`events: ${delivered} of ${this.#planned} delivered\n`)
      }
    }
  }

  async #createAccount(email: string): Promise<Keys> {
    const args = ['account', 'create', email, '--data', this.#data, '--json']
    return JSON.parse(await this.#processes.run(args)) as Keys
  }

  async #stopService(): Promise<void> {
    const { process } = this.#service
    assertEndedWell(await process.end('SIGTERM'), 'The relay', process)
  }
}
