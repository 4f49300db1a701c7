import type { Pdu } from 'smpp'
import type { DriverListener } from '../../driver-port/driver.js'
import { readDelivery } from './deliver-sm.js'
import type { MessageIds } from './sent-message-ids.js'

/** What {@link Incoming} works with. */
export interface IncomingOptions {
  readonly ids: MessageIds
  readonly listener: DriverListener | undefined
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** Tells of what the SMSC delivers: texts, or their parts, and receipts. */
export class Incoming {
  readonly #options: IncomingOptions

  constructor(options: IncomingOptions) {
    this.#options = options
  }

  /** Takes a deliver_sm or data_sm; rejects when nobody listens or a text cannot be kept: it is to be delivered again. */
  async take(pdu: Pdu): Promise<void> {
    const { ids, listener, now } = this.#options
    const found = read(pdu)
    if (found === undefined) return
    if (listener === undefined) throw new Error('Nobody is there to take it.')
    if (found.kind === 'receipt') {
      const to = ids.find(found.id) ?? found.from
      listener.reported({ to, state: found.state })
    } else {
      const { kind: _, ...text } = found
      await listener.received({ ...text, at: now() })
    }
  }
}

/** What cannot be read is nobody's text, and would come again and again if it was refused. */
function read(pdu: Pdu): ReturnType<typeof readDelivery> | undefined {
  try {
    return readDelivery(pdu)
  } catch {
    return undefined
  }
}
