import type { Pdu } from 'smpp'
import type { Clock } from '../../../util/async/clock.js'
import type { DriverListener } from '../../driver-port/driver.js'
import { parseDeliverSm } from './deliver-sm.js'

interface SmppInboxOptions {
  readonly ids: SentMessageIds
  readonly listener: DriverListener | undefined
  readonly clock: Clock
}

export class SmppInbox {
  readonly #options: SmppInboxOptions

  constructor(options: SmppInboxOptions) {
    this.#options = options
  }

  /** Handles a deliver_sm or data_sm; rejects if the SMSC should deliver it again. */
  async handle(pdu: Pdu): Promise<void> {
    const { ids, listener, clock } = this.#options
    const delivered = tryParse(pdu)
    if (delivered === undefined) return
    if (listener === undefined) throw new Error('There is no listener for received texts.')
    if (delivered.kind === 'receipt') {
      const to = ids.findDestination(delivered.id) ?? delivered.from
      listener.onReceipt({ to, state: delivered.state })
    } else {
      const { kind: _, ...text } = delivered
      await listener.onText({ ...text, at: clock.now() })
    }
  }
}

/** An invalid PDU is dropped, because the SMSC would deliver it again and again. */
function tryParse(pdu: Pdu): ReturnType<typeof parseDeliverSm> | undefined {
  try {
    return parseDeliverSm(pdu)
  } catch {
    return undefined
  }
}

/** Recipients of submitted parts by their SMPP `message_id`, for receipts; drops the oldest. */
export class SentMessageIds {
  readonly #destinations = new Map<string, string>()
  readonly #maxIds: number

  constructor(maxIds = 100_000) {
    this.#maxIds = maxIds
  }

  add(id: string, destination: string): void {
    this.#destinations.set(normalizeId(id), destination)
    const [oldest] = this.#destinations.keys()
    if (this.#destinations.size > this.#maxIds && oldest !== undefined) {
      this.#destinations.delete(oldest)
    }
  }

  /**
   * Finds the recipient for a receipt. Some SMSCs use hexadecimal ids in responses and decimal ones
   * in receipts, or vice versa.
   */
  findDestination(id: string): string | undefined {
    for (const form of listIdForms(normalizeId(id))) {
      const destination = this.#destinations.get(form)
      if (destination !== undefined) return destination
    }
    return undefined
  }
}

function normalizeId(id: string): string {
  return id
    .trim()
    .toLowerCase()
    .replace(/^0+(?=.)/, '')
}

function listIdForms(id: string): string[] {
  const hexadecimal = /^\d{1,19}$/.test(id) ? [BigInt(id).toString(16)] : []
  const decimal = /^[0-9a-f]{1,16}$/.test(id) ? [BigInt(`0x${id}`).toString()] : []
  return [id, ...hexadecimal, ...decimal]
}
