import { countSmsParts } from '../../../domain/sms/sms-parts.js'
import { createSeededRandom } from '../../../util/crypto/seeded-random.js'
import type { DriverListener, DriverMessage } from '../../driver-port/driver.js'
import type { DriverContext } from '../../driver-port/driver-options.js'
import type { SimulateSettings } from './simulate-settings.js'

export class SimulatedReceipts {
  readonly #settings: SimulateSettings
  readonly #clock: DriverContext['clock']
  readonly #random: () => number
  readonly #timers = new Set<() => void>()

  constructor(
    settings: SimulateSettings,
    { clock, random }: Pick<DriverContext, 'clock' | 'random'>,
  ) {
    this.#settings = settings
    this.#clock = clock
    // Of its own, so that receipts do not change the outcomes of texts.
    this.#random = settings.seed === undefined ? random : createSeededRandom(settings.seed + 1)
  }

  /** Sends the receipts of a text, at once or after the delay. */
  send(
    { destination: to }: DriverMessage,
    networkIds: readonly string[],
    listener: DriverListener | undefined,
  ): void {
    const settings = this.#settings
    for (const id of networkIds) {
      const isFailed = this.#random() < settings['report-fail-rate']
      const networkId = settings['report-decimal'] ? BigInt(`0x${id}`).toString() : id
      const receipt = isFailed
        ? ({ to, networkId, state: 'undelivered', reason: 'Simulated failure.' } as const)
        : ({ to, networkId, state: 'delivered' } as const)
      const notify = () => {
        // A receipt that cannot be stored is lost, as in a network that sends each once.
        void Promise.resolve(listener?.onReceipt(receipt)).catch(() => {})
      }
      const count = this.#random() < settings['report-duplicate-rate'] ? 2 : 1
      for (let nth = 0; nth < count; nth += 1) this.#run(notify, settings['report-delay'])
    }
  }

  stop(): void {
    for (const cancel of this.#timers) cancel()
    this.#timers.clear()
  }

  #run(notify: () => void, delay: number | undefined): void {
    if (delay === undefined) {
      notify()
      return
    }
    const cancel = this.#clock.after(delay, () => {
      this.#timers.delete(cancel)
      notify()
    })
    this.#timers.add(cancel)
  }
}

/** Hexadecimal ids of the parts, unique as the message's id is. */
export function createNetworkIds({ id, text }: DriverMessage): string[] {
  const digits = id.replace(/[^0-9a-f]/gi, '').slice(-12)
  const { parts } = countSmsParts(text)
  return Array.from(
    { length: parts },
    (_, index) => `a${digits}${index.toString(16).padStart(2, '0')}`,
  )
}
