import { setMaxListeners } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Faults, Tally } from '../cells/cell.js'
import { Random } from '../random.js'
import { Integrator, type Keys } from '../world/integrator.js'
import { assertEndedWell } from '../world/phone.js'
import type { Processes } from '../world/processes.js'
import { CuttingProxy } from '../world/proxy.js'
import { Service } from '../world/service.js'
import { Customer } from './customer.js'
import { EventLane } from './event-lane.js'
import type { LaneHistory } from './judge.js'
import { killAlongTheWay } from './kills.js'
import { lanePlans, messagesPerAccount, type Scale } from './scale.js'

const lookEvery = 100
const tellEvery = 30_000
/** Milliseconds without a new event after which the rest is taken to be lost; a lane waits for 36 s at most. */
const patience = 90_000

/** A service, its customers and the receivers of their hits. */
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

  /** Every lane. */
  get lanes(): EventLane[] {
    return this.customers.flatMap(({ lanes }) => lanes)
  }

  /** Starts the service with its accounts and their subscriptions. */
  async begin(): Promise<void> {
    const port = await this.#proxy.start()
    await this.#service.start()
    for (const [place, plans] of lanePlans(this.#scale).entries()) {
      const lanes = plans.map((plan, at) => {
        const name = `${place}-${at}-${plan.event}`
        return new EventLane(name, plan, this.#scale.timeOuts, new Random(this.#seed, name))
      })
      const keys = await this.#createAccount(`customer-${place}@example.com`)
      const random = new Random(this.#seed, `customer ${place}`)
      const messages = messagesPerAccount(this.#scale)
      this.customers.push(new Customer(new Integrator(port, keys), lanes, messages, random))
    }
    for (const customer of this.customers) await customer.begin()
  }

  /** Has all events made, with the kills meanwhile, and waits until they are delivered or nothing comes any more. */
  async run(): Promise<Faults> {
    const { signal } = this.#stop
    const tally = new Tally()
    const random = new Random(this.#seed, 'kills')
    const progress = { delivered: () => this.#delivered / this.#planned, left: () => this.#left }
    const { kills } = this.#scale
    const still = this.#untilStill()
    const going = [
      killAlongTheWay(this.#service, kills, progress, random, tally, signal),
      ...this.customers.map(customer => customer.work(signal)),
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
    const { made, wanted, absent } = tally.faults
    const late = this.#left > 0 ? [`${this.#left} deliveries`] : []
    const fewer = made < kills && absent.length === 0 ? [`${kills - made} kills`] : []
    return { made, wanted, absent: [...absent, ...fewer, ...late] }
  }

  /** Ends the service the ordinary way, opens it once more, and gives what was to come beside what came. */
  async histories(): Promise<LaneHistory[]> {
    await this.#stopService()
    await this.#service.start()
    const all: LaneHistory[] = []
    for (const { integrator, lanes, acknowledged } of this.customers) {
      const records = await integrator.events()
      for (const { name, plan, arrivals } of lanes) {
        const recorded = records
          ?.filter(({ event }) => event === plan.event)
          .map(({ sequence, message }) => ({ sequence, message: message.id }))
        all.push({ name, acknowledged: acknowledged.get(plan.event) ?? [], recorded, arrivals })
      }
    }
    await this.#stopService()
    return all
  }

  /** Ends what still runs. */
  async close(): Promise<void> {
    this.#stop.abort()
    await this.#service.process.end('SIGKILL')
    for (const { integrator } of this.customers) integrator.close()
    await this.#proxy.stop()
    await Promise.all(this.lanes.map(lane => lane.stop()))
  }

  get #delivered(): number {
    return this.lanes.reduce((sum, lane) => sum + lane.messages.size, 0)
  }

  /** Deliveries there will be: the ones that go by chance are counted as they come. */
  get #planned(): number {
    const messages = messagesPerAccount(this.#scale)
    return lanePlans(this.#scale).reduce(
      (sum, plans) => sum + messages * (plans.length > 2 ? 3 : 2),
      0,
    )
  }

  get #left(): number {
    return Math.max(this.#planned - this.#delivered, 0)
  }

  async #untilStill(): Promise<void> {
    let delivered = 0
    let since = performance.now()
    let told = since
    while (this.#delivered < this.#planned) {
      await sleep(lookEvery, undefined, { signal: this.#stop.signal })
      if (this.#delivered > delivered) {
        delivered = this.#delivered
        since = performance.now()
      }
      const now = performance.now()
      if (now - since > patience) this.#stop.abort()
      if (now - told > tellEvery) {
        told = now
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
    assertEndedWell(await process.end('SIGTERM'), 'The service', process)
  }
}
