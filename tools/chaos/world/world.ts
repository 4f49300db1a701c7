import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DeliveryMode } from '../../../src/domain/account/account.js'
import { variables } from '../inside/point.js'
import type { History, Listed } from '../oracle/history.js'
import type { Random } from '../random.js'
import type { Accounts } from './accounts.js'
import { Driver } from './driver.js'
import { Integrator, type Keys } from './integrator.js'
import { Load, type LoadOptions } from './load.js'
import { Modem } from './modem.js'
import { assertEndedWell, Phone } from './phone.js'
import type { Processes } from './processes.js'
import { CuttingProxy } from './proxy.js'
import { Receiver } from './receiver.js'
import { Senders } from './senders.js'
import { Service } from './service.js'

/** Options of a {@link World}. */
export interface WorldOptions {
  readonly mode: DeliveryMode
  /** Number of workers of each phone. */
  readonly phones: readonly number[]
  readonly load: LoadOptions
  /** Whether a modem of the first phone receives texts. @default false */
  readonly incoming?: boolean
  /** Whether the cell moves the clock, so that times give no order. */
  readonly movesClock: boolean
}

/** The subscriptions of every cell: name, and whether the body has the data. */
const subscriptions = [
  ['message.create', true],
  ['message.sent', true],
  ['message.sent.query', false],
  ['message.failed', true],
] as const

const lookEvery = 50
/** Longest wait for the end of all work, in milliseconds. */
const patience = 150_000
/** Milliseconds for the phones to send messages whose delay has passed. */
const timeToRetry = 4000
/** Milliseconds; more than the delay after the fourth failure. */
const retryDelay = 61 * 60_000
/** Milliseconds; longer than a driver continues after its phone was killed. */
const lateDriver = 300

/** The relay, phones, customer and webhook receiver of a cell. */
export class World {
  readonly random: Random
  readonly directory: string
  readonly service: Service
  readonly phones: readonly Phone[]
  readonly driver: Driver
  readonly load: Load
  readonly integrator: Integrator
  /** In front of the relay. */
  readonly proxy: CuttingProxy
  /** In front of the receiver. */
  readonly webhookProxy: CuttingProxy
  readonly #receiver: Receiver
  readonly #modem: Modem
  readonly #senders: Senders
  readonly #options: WorldOptions
  #ahead = 0

  private constructor(parts: Parts, options: WorldOptions, random: Random) {
    const { processes, directory, keys, port } = parts
    this.random = random
    this.directory = directory
    this.#options = options
    this.proxy = parts.proxy
    this.webhookProxy = parts.webhookProxy
    this.#receiver = parts.receiver
    this.#modem = parts.modem
    this.#senders = new Senders(this.#modem, random)
    const clock = join(directory, 'clock')
    const disk = join(directory, 'disk')
    const data = join(directory, 'data')
    writeFileSync(clock, '0')
    mkdirSync(join(directory, 'driver'))
    this.service = new Service(processes, { data, clock, disk }, this.proxy)
    this.driver = new Driver(join(directory, 'driver'))
    this.integrator = new Integrator(port, keys)
    const attempts = (): number => this.driver.attempts()
    this.load = new Load(this.integrator, attempts, options.load, random)
    this.phones = options.phones.map(
      (concurrency, number) =>
        new Phone(processes, {
          name: `phone-${number}`,
          url: `http://127.0.0.1:${port}`,
          secretKey: keys.secret_key,
          appKey: keys.app_key,
          command: this.driver.commandOf(`phone-${number}`),
          modem: number === 0 && options.incoming === true ? parts.device : undefined,
          journal: join(directory, `phone-${number}`),
          concurrency,
          variables: { [variables.disk]: join(directory, 'phone-disk') },
        }),
    )
  }

  /** Creates a world with all processes running and messages being created. */
  static async create(
    processes: Processes,
    accounts: Accounts,
    options: WorldOptions,
    random: Random,
  ): Promise<World> {
    const directory = processes.makeDirectory()
    const [proxy, webhookProxy, receiver] = [new CuttingProxy(), new CuttingProxy(), new Receiver()]
    const modem = new Modem()
    const keys = await accounts.fill(join(directory, 'data'), options.mode)
    const port = await proxy.start()
    const webhooks = await webhookProxy.start()
    webhookProxy.target = await receiver.start()
    const device = await modem.start()
    const parts = { processes, directory, keys, port, proxy, webhookProxy, receiver, modem, device }
    const world = new World(parts, options, random)
    await world.service.start()
    for (const [name, post] of subscriptions) {
      const event = name.replace('.query', '')
      await world.integrator.subscribe(event, `http://127.0.0.1:${webhooks}/hook/${name}`, post)
      receiver.arrivals.set(name, [])
    }
    for (const phone of world.phones) phone.start()
    world.load.start()
    if (options.incoming === true) world.#senders.start()
    return world
  }

  /** Makes the disk of the relay or of the phones full or failing; undefined: working. */
  setDisk(of: 'disk' | 'phone-disk', state: 'full' | 'failing' | undefined): void {
    writeFileSync(join(this.directory, of), state ?? '')
  }

  /** Moves the clock of the relay by milliseconds. */
  moveClock(by: number): void {
    this.#ahead += by
    this.service.moveClock(this.#ahead)
  }

  /**
   * Waits for the end of all work, ends all processes, restarts the relay and resolves to the
   * observations. Throws an error if a process does not end with exit code 0.
   */
  async history(): Promise<History> {
    await this.load.finish()
    await this.#senders.stop()
    await this.#rest()
    for (const phone of this.phones) await phone.stop()
    await sleep(lateDriver)
    await this.#stopService()
    await this.service.start()
    const listed = await this.integrator.list()
    const received = await this.integrator.received()
    await this.#stopService()
    const serial = this.phones.filter(({ settings }) => settings.concurrency === 1)
    return {
      mode: this.#options.mode,
      accepted: this.load.accepted,
      sends: this.driver.sends(),
      killed: new Set(this.phones.flatMap(({ killed }) => [...killed])),
      listed,
      texts: this.#modem.texts,
      received,
      arrivals: this.#receiver.arrivals,
      serial: serial.map(({ settings }) => settings.name),
      steady: !this.#options.movesClock,
    }
  }

  /** Ends all processes and servers. */
  async close(): Promise<void> {
    await this.load.abandon()
    await this.#senders.stop()
    for (const each of [this.service, ...this.phones]) await each.process.end('SIGKILL')
    this.integrator.close()
    await this.proxy.stop()
    await this.webhookProxy.stop()
    await this.#receiver.stop()
    await this.#modem.stop()
  }

  /** Waits until all messages are final and all events have arrived, or for the time limit. */
  async #rest(): Promise<void> {
    const deadline = performance.now() + patience
    let passed = Number.NEGATIVE_INFINITY
    while (performance.now() < deadline) {
      const listed = await this.integrator.list()
      const waiting = listed.filter(({ status }) => status === 'N').length
      const failed = listed.filter(({ status }) => status === 'E').length
      if (waiting === 0 && failed > 0 && performance.now() - passed > timeToRetry) {
        await this.#passRetryDelay()
        passed = performance.now()
      }
      const isQuiet = failed === 0 && waiting === 0 && this.#haveArrived(listed)
      if (isQuiet && (await this.#haveComeIn())) return
      await sleep(lookEvery)
    }
  }

  /** Restarts phones without a message, because they then ask at once. */
  async #passRetryDelay(): Promise<void> {
    for (const phone of this.phones) await phone.stop()
    this.moveClock(retryDelay)
    for (const phone of this.phones) phone.start()
  }

  async #haveComeIn(): Promise<boolean> {
    const told = new Set(await this.integrator.received())
    return this.#modem.waiting === 0 && told.size >= this.#modem.texts.length
  }

  #haveArrived(listed: readonly Listed[]): boolean {
    return [...this.#receiver.arrivals].every(([name, ids]) => {
      const status = name.startsWith('message.sent') ? 'S' : 'F'
      const all = name.startsWith('message.create')
      const due = listed.filter(message => all || message.status === status).length
      return new Set(ids).size >= due
    })
  }

  async #stopService(): Promise<void> {
    const { process } = this.service
    assertEndedWell(await process.end('SIGTERM'), 'The service', process)
  }
}

interface Parts {
  readonly processes: Processes
  readonly directory: string
  readonly keys: Keys
  readonly port: number
  readonly proxy: CuttingProxy
  readonly webhookProxy: CuttingProxy
  readonly receiver: Receiver
  readonly modem: Modem
  readonly device: string
}
