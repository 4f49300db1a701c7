import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { preloadVariables } from '../injection/crash-point.js'
import { findUnconfirmed } from '../oracle/check-history.js'
import type { History, ListedMessage } from '../oracle/history.js'
import type { Random } from '../random.js'
import type { AccountTemplates } from './accounts.js'
import { CuttingProxy } from './cutting-proxy.js'
import { Driver } from './driver.js'
import type { HarnessOptions } from './harness-options.js'
import { Integrator, type Keys } from './integrator.js'
import { Load } from './load.js'
import { IncomingTexts } from './network/incoming-texts.js'
import { Modem } from './network/modem.js'
import { listUnansweredLives, toSentTexts } from './network/network-sends.js'
import { Smsc } from './network/smsc.js'
import { assertCleanExit, PhoneProcess } from './phone-process.js'
import type { Processes } from './processes.js'
import { RelayProcess } from './relay-process.js'
import { WebhookReceiver } from './webhook-receiver.js'

/** The subscriptions: name, and whether the data is in the body. */
const subscriptions = [
  ['message.create', true],
  ['message.sent', true],
  ['message.sent.query', false],
  ['message.failed', true],
] as const

const pollInterval = 50
/** Milliseconds. */
const timeLimit = 150_000
/** Milliseconds for the phones to send the messages whose retry delay has passed. */
const timeToRetry = 4000
/** Milliseconds; longer than the delay after the fourth failure. */
const retryDelay = 61 * 60_000
/** Milliseconds; a driver runs on for less after its phone is killed. */
const driverGrace = 300

/** A relay, its phones, an integrator and a webhook receiver: all that a scenario affects. */
export class Harness {
  readonly random: Random
  readonly directory: string
  readonly relay: RelayProcess
  readonly phones: readonly PhoneProcess[]
  readonly driver: Driver
  readonly smsc: Smsc
  readonly modem: Modem
  readonly load: Load
  readonly integrator: Integrator
  /** In front of the relay. */
  readonly proxy: CuttingProxy
  /** In front of the webhook receiver. */
  readonly webhookProxy: CuttingProxy
  readonly #receiver: WebhookReceiver
  readonly #incomingTexts: IncomingTexts
  readonly #options: HarnessOptions
  #ahead = 0

  private constructor(parts: HarnessParts, options: HarnessOptions, random: Random) {
    const { processes, directory, keys, port } = parts
    this.random = random
    this.directory = directory
    this.#options = options
    this.proxy = parts.proxy
    this.webhookProxy = parts.webhookProxy
    this.#receiver = parts.receiver
    this.modem = parts.modem
    this.#incomingTexts = new IncomingTexts(this.modem, random)
    const place = (name: string) => join(directory, name)
    const files = { data: place('data'), clock: place('clock'), disk: place('disk') }
    writeFileSync(files.clock, '0')
    mkdirSync(join(directory, 'driver'))
    this.relay = new RelayProcess(processes, files, this.proxy)
    this.driver = new Driver(join(directory, 'driver'))
    this.smsc = parts.smsc
    this.integrator = new Integrator(port, keys)
    const { incoming = false, sendsByModem = false } = options
    const countAttempts = (): number =>
      this.driver.countAttempts() + this.smsc.attempts + this.modem.attempts
    this.load = new Load(this.integrator, countAttempts, options.load, random)
    this.phones = options.phones.map(
      (concurrency, number) =>
        new PhoneProcess(processes, {
          name: `phone-${number}`,
          url: `http://127.0.0.1:${port}`,
          secretKey: keys.secret_key,
          appKey: keys.app_key,
          command: this.driver.createCommand(`phone-${number}`),
          modem: number === 0 && (incoming || sendsByModem) ? parts.device : undefined,
          sendsByModem,
          smscPort: options.sendsToSmsc ? parts.smsc.port : undefined,
          journal: join(directory, `phone-${number}`),
          concurrency,
          variables: { [preloadVariables.disk]: join(directory, 'phone-disk') },
        }),
    )
  }

  /** Creates a harness in which everything runs and messages are being created. */
  static async create(
    processes: Processes,
    accounts: AccountTemplates,
    options: HarnessOptions,
    random: Random,
  ): Promise<Harness> {
    const directory = processes.makeDirectory()
    const [proxy, webhookProxy] = [new CuttingProxy(), new CuttingProxy()]
    const receiver = new WebhookReceiver()
    const modem = new Modem()
    const keys = await accounts.createDataDirectory(join(directory, 'data'), options.mode)
    const port = await proxy.start()
    const hookPort = await webhookProxy.start()
    webhookProxy.target = await receiver.start()
    const device = await modem.start()
    const smsc = await Smsc.start()
    const servers = { proxy, webhookProxy, receiver, modem, device, smsc }
    const parts = { processes, directory, keys, port, ...servers }
    const harness = new Harness(parts, options, random)
    await harness.relay.start()
    for (const [name, post] of subscriptions) {
      const event = name.replace('.query', '')
      const url = `http://127.0.0.1:${hookPort}/webhook/${name}`
      await harness.integrator.subscribe(event, url, post)
      receiver.arrivals.set(name, [])
    }
    for (const phone of harness.phones) phone.start()
    harness.load.start()
    if (options.incoming === true) harness.#incomingTexts.start()
    return harness
  }

  /** Makes the disk of the relay, or of the phones, full or failing; undefined repairs it. */
  setDisk(of: 'disk' | 'phone-disk', state: 'full' | 'failing' | undefined): void {
    writeFileSync(join(this.directory, of), state ?? '')
  }

  /** Moves the clock by `by` milliseconds. */
  moveClock(by: number): void {
    this.#ahead += by
    this.relay.moveClock(this.#ahead)
  }

  /**
   * Waits until everything is finished, stops it, opens the relay once more and collects what
   * happened. Throws if a process does not exit with code 0.
   */
  async collectHistory(): Promise<History> {
    await this.load.finish()
    await this.#incomingTexts.stop()
    await this.#waitUntilSettled()
    for (const phone of this.phones) await phone.stop()
    await sleep(driverGrace)
    await this.#stopRelay()
    await this.relay.start()
    const listed = await this.integrator.list()
    const received = await this.integrator.received()
    await this.#stopRelay()
    const killed = this.phones.flatMap(phone => [...phone.killed])
    const serial = this.phones.filter(phone => phone.settings.concurrency === 1)
    const { modem, smsc } = this
    const networkSends = [
      ...toSentTexts(modem.sends, 'phone-0', listed),
      ...toSentTexts(smsc.sends, 'smsc', listed),
    ]
    return {
      mode: this.#options.mode,
      accepted: this.load.accepted,
      sends: [...this.driver.readSends(), ...networkSends],
      killed: new Set([...killed, ...listUnansweredLives(networkSends)]),
      window: Math.max(...this.phones.map(({ settings }) => settings.concurrency)),
      delivered: smsc.delivered,
      listed,
      simTexts: modem.texts,
      received,
      arrivals: this.#receiver.arrivals,
      serialPhones: serial.map(({ settings }) => settings.name),
      hasSteadyClock: !this.#options.movesClock,
    }
  }

  /** Kills what still runs. */
  async close(): Promise<void> {
    await this.load.abandon()
    await this.#incomingTexts.stop()
    for (const each of [this.relay, ...this.phones]) await each.process.end('SIGKILL')
    this.integrator.close()
    await this.proxy.stop()
    await this.webhookProxy.stop()
    await this.#receiver.stop()
    await this.modem.stop()
    await this.smsc.stop()
  }

  /** Waits until every message is final and every event has arrived, or the time limit is over. */
  async #waitUntilSettled(): Promise<void> {
    const deadline = performance.now() + timeLimit
    let passed = Number.NEGATIVE_INFINITY
    while (performance.now() < deadline) {
      const listed = await this.integrator.list()
      const waiting = listed.filter(({ status }) => status === 'N').length
      const failed = listed.filter(({ status }) => status === 'E').length
      if (waiting === 0 && failed > 0 && performance.now() - passed > timeToRetry) {
        await this.#passRetryDelay()
        passed = performance.now()
      }
      const isQuiet = failed === 0 && waiting === 0 && this.#haveEventsArrived(listed)
      const unconfirmed = findUnconfirmed({ listed, delivered: this.smsc.delivered })
      if (isQuiet && unconfirmed.length === 0 && (await this.#haveTextsArrived())) return
      await sleep(pollInterval)
    }
  }

  /** Restarts the phones: a phone asks for messages at its start. */
  async #passRetryDelay(): Promise<void> {
    for (const phone of this.phones) await phone.stop()
    this.moveClock(retryDelay)
    for (const phone of this.phones) phone.start()
  }

  async #haveTextsArrived(): Promise<boolean> {
    const told = new Set(await this.integrator.received())
    return this.modem.storedCount === 0 && told.size >= this.modem.texts.length
  }

  #haveEventsArrived(listed: readonly ListedMessage[]): boolean {
    return [...this.#receiver.arrivals].every(([name, ids]) => {
      const status = name.startsWith('message.sent') ? 'S' : 'F'
      const all = name.startsWith('message.create')
      const due = listed.filter(message => all || message.status === status).length
      return new Set(ids).size >= due
    })
  }

  async #stopRelay(): Promise<void> {
    const { process } = this.relay
    assertCleanExit(await process.end('SIGTERM'), 'The relay', process)
  }
}

interface HarnessParts extends Pick<Harness, 'modem' | 'proxy' | 'webhookProxy' | 'smsc'> {
  readonly processes: Processes
  readonly directory: string
  readonly keys: Keys
  readonly port: number
  readonly receiver: WebhookReceiver
  readonly device: string
}
