import { setMaxListeners } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CuttingProxy } from '../harness/cutting-proxy.js'
import { Integrator, type Keys } from '../harness/integrator.js'
import { assertCleanExit } from '../harness/phone-process.js'
import type { Processes } from '../harness/processes.js'
import { RelayProcess } from '../harness/relay-process.js'
import { Random } from '../random.js'
import { FaultCounter, type Faults } from '../scenarios/scenario.js'
import { AccountLoad } from './account-load.js'
import type { SubscriptionHistory } from './check-subscription.js'
import { killDuringDelivery } from './kill-during-delivery.js'
import { countMessagesPerAccount, planSubscriptions, type Scale } from './scale.js'
import { SubscriptionReceiver } from './subscription-receiver.js'

const pollInterval = 100
const progressInterval = 30_000
/** Milliseconds without a new event after which the run ends. One delivery waits at most 36 s. */
const timeLimit = 90_000

/** A relay, the load of its accounts, and the receivers of their webhooks. */
export class EventsHarness {
  readonly accounts: AccountLoad[] = []
  readonly #processes: Processes
  readonly #scale: Scale
  readonly #seed: number
  readonly #data: string
  readonly #proxy = new CuttingProxy()
  readonly #relay: RelayProcess
  readonly #stop = new AbortController()

  constructor(processes: Processes, scale: Scale, seed: number) {
    this.#processes = processes
    this.#scale = scale
    setMaxListeners(0, this.#stop.signal)
    this.#seed = seed
    this.#data = join(processes.makeDirectory(), 'data')
    this.#relay = new RelayProcess(processes, { data: this.#data }, this.#proxy)
  }

  get receivers(): SubscriptionReceiver[] {
    return this.accounts.flatMap(({ receivers }) => receivers)
  }

  /** Starts the relay and creates the accounts and subscriptions. */
  async start(): Promise<void> {
    const port = await this.#proxy.start()
    await this.#relay.start()
    for (const [place, plans] of planSubscriptions(this.#scale).entries()) {
      const receivers = plans.map((plan, at) => {
        const name = `${place}-${at}-${plan.event}`
        return new SubscriptionReceiver(
          name,
          plan,
          this.#scale.timeOuts,
          new Random(this.#seed, name),
        )
      })
      const keys = await this.#createAccount(`account-${place}@example.com`)
      const random = new Random(this.#seed, `account ${place}`)
      const messages = countMessagesPerAccount(this.#scale)
      this.accounts.push(new AccountLoad(new Integrator(port, keys), receivers, messages, random))
    }
    for (const account of this.accounts) await account.subscribe()
  }

  /**
   * Creates all events while the relay is killed repeatedly. Waits until all are delivered, or
   * until none arrives within the time limit.
   */
  async run(): Promise<Faults> {
    const { signal } = this.#stop
    const counter = new FaultCounter()
    const random = new Random(this.#seed, 'kills')
    const progress = {
      delivered: () => this.#delivered / this.#planned,
      remaining: () => this.#remaining,
    }
    const { kills } = this.#scale
    const still = this.#waitUntilDelivered()
    const going = [
      killDuringDelivery(this.#relay, kills, progress, random, counter, signal),
      ...this.accounts.map(account => account.createMessages(signal)),
      still,
    ]
    try {
      await Promise.all(going)
    } catch (error) {
      const gaveUp = signal.aborted
      this.#stop.abort()
      await Promise.allSettled(going)
      if (!gaveUp) throw error
    }
    const { made, planned, missed } = counter.faults
    const late = this.#remaining > 0 ? [`${this.#remaining} deliveries`] : []
    const fewer = made < kills && missed.length === 0 ? [`${kills - made} kills`] : []
    return { made, planned, missed: [...missed, ...fewer, ...late] }
  }

  /** Stops the relay, opens it once more, and resolves to the expected and the arrived events. */
  async collectHistories(): Promise<SubscriptionHistory[]> {
    await this.#stopRelay()
    await this.#relay.start()
    const all: SubscriptionHistory[] = []
    for (const { integrator, receivers, acknowledged } of this.accounts) {
      const records = await integrator.events()
      for (const { name, plan, arrivals } of receivers) {
        const recorded = records
          ?.filter(({ event }) => event === plan.event)
          .map(({ sequence, message }) => ({ sequence, message: message.id }))
        all.push({ name, acknowledged: acknowledged.get(plan.event) ?? [], recorded, arrivals })
      }
    }
    await this.#stopRelay()
    return all
  }

  /** Kills the relay and stops everything else. */
  async close(): Promise<void> {
    this.#stop.abort()
    await this.#relay.process.end('SIGKILL')
    for (const { integrator } of this.accounts) integrator.close()
    await this.#proxy.stop()
    await Promise.all(this.receivers.map(receiver => receiver.stop()))
  }

  get #delivered(): number {
    return this.receivers.reduce((sum, receiver) => sum + receiver.messages.size, 0)
  }

  /** The planned number of deliveries. */
  get #planned(): number {
    const messages = countMessagesPerAccount(this.#scale)
    return planSubscriptions(this.#scale).reduce(
      (sum, plans) => sum + messages * (plans.length > 2 ? 3 : 2),
      0,
    )
  }

  get #remaining(): number {
    return Math.max(this.#planned - this.#delivered, 0)
  }

  async #waitUntilDelivered(): Promise<void> {
    let delivered = 0
    let since = performance.now()
    let told = since
    while (this.#delivered < this.#planned) {
      await sleep(pollInterval, undefined, { signal: this.#stop.signal })
      if (this.#delivered > delivered) {
        delivered = this.#delivered
        since = performance.now()
      }
      const now = performance.now()
      if (now - since > timeLimit) this.#stop.abort()
      if (now - told > progressInterval) {
        told = now
        process.stderr.write(`events: ${delivered} of ${this.#planned} delivered\n`)
      }
    }
  }

  async #createAccount(email: string): Promise<Keys> {
    const args = ['account', 'create', email, '--data', this.#data, '--json']
    return JSON.parse(await this.#processes.run(args)) as Keys
  }

  async #stopRelay(): Promise<void> {
    const { process } = this.#relay
    assertCleanExit(await process.end('SIGTERM'), 'The relay', process)
  }
}
