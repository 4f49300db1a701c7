import type { Pdu } from 'smpp'
import type { Clock } from '../../../util/async/clock.js'
import type { DriverListener } from '../../driver-port/driver.js'
import { parseDeliverSm } from './deliver-sm.js'
import type { SentMessageIds } from './sent-message-ids.js'

/** What {@link Incoming} works with. */
export interface SmppInboxOptions {
  readonly ids: SentMessageIds
  readonly listener: DriverListener | undefined
  readonly clock: Clock
}

/** Tells of what the SMSC delivers: texts, or their parts, and receipts. */
export class SmppInbox {
  readonly #options: SmppInboxOptions

  constructor(options: SmppInboxOptions) {
    this.#options = options
  }

  /** Takes a deliver_sm or data_sm; rejects when nobody listens or a text cannot be kept: it is to be delivered again. */
  async handle(pdu: Pdu): Promise<void> {
    const { ids, listener, clock } = this.#options
    const found = tryParse(pdu)
    if (found === undefined) return
    if (listener === undefined) throw new Error('Nobody is there to take it.')
    if (found.kind === 'receipt') {
      const to = ids.find(found.id) ?? found.from
      listener.onReceipt({ to, state: found.state })
    } else {
      const { kind: _, ...text } = found
      await listener.onText({ ...text, at: clock.now() })
    }
  }
}

/** What cannot be read is nobody's text, and would come again and again if it was refused. */
function tryParse(pdu: Pdu): ReturnType<typeof parseDeliverSm> | undefined {
  try {
    return parseDeliverSm(pdu)
  } catch {
    return undefined
  }
}
