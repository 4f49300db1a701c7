import type { Pdu } from 'smpp'
import type { DriverListener } from '../../driver.js'
import { type DeliveredPart, readDelivery } from './delivery.js'
import type { MessageIds } from './message-ids.js'

type Place = NonNullable<DeliveredPart['part']>

/** What {@link Incoming} works with. */
export interface IncomingOptions {
  readonly ids: MessageIds
  readonly listener: DriverListener | undefined
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** Texts of which parts are missing may be so many; the oldest are given up. */
const most = 100

/** Tells of what the SMSC delivers: texts, their parts put together in whatever order they come, and receipts. */
export class Incoming {
  readonly #options: IncomingOptions
  readonly #gathered = new Map<string, Map<number, string>>()

  constructor(options: IncomingOptions) {
    this.#options = options
  }

  /** Takes a deliver_sm or data_sm; never throws, for its answer must go out. */
  take(pdu: Pdu): void {
    try {
      this.#tell(pdu)
    } catch {
      // What cannot be read is nobody's text, and would come again and again if it was refused.
    }
  }

  #tell(pdu: Pdu): void {
    const { ids, listener, now } = this.#options
    const found = readDelivery(pdu)
    if (found.kind === 'receipt') {
      const to = ids.find(found.id) ?? found.from
      listener?.reported({ to, state: found.state })
      return
    }
    const { from, part } = found
    const text = part === undefined ? found.text : this.#gather(from, found.text, part)
    if (text !== undefined) listener?.received({ from, text, at: now() })
  }

  #gather(from: string, text: string, { reference, count, number }: Place): string | undefined {
    const key = JSON.stringify([from, reference, count])
    const parts = this.#gathered.get(key) ?? new Map<number, string>()
    this.#gathered.set(key, parts.set(number, text))
    if (parts.size < count) {
      const [oldest] = this.#gathered.keys()
      if (this.#gathered.size > most && oldest !== undefined) this.#gathered.delete(oldest)
      return undefined
    }
    this.#gathered.delete(key)
    return Array.from({ length: count }, (_, at) => parts.get(at + 1) ?? '').join('')
  }
}
