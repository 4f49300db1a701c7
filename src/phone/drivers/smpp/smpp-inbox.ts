import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../../util/async/clock.js'
import type { DriverListener } from '../../driver-port/driver.js'
import type { Pdu } from './pdu/pdu.js'
import { responseStatuses } from './pdu/smpp-status.js'
import { type AlphabetSettings, parseDeliverSm, type SmppReceipt } from './text/deliver-sm.js'

interface SmppInboxOptions {
  readonly settings: AlphabetSettings
  readonly ids: SentMessageIds
  readonly listener: DriverListener | undefined
  readonly clock: Clock
}

export class SmppInbox {
  readonly #options: SmppInboxOptions

  constructor(options: SmppInboxOptions) {
    this.#options = options
  }

  /** Handles a deliver_sm or data_sm; resolves with the status of its response. */
  async handle(pdu: Pdu): Promise<number> {
    const delivered = this.#tryParse(pdu)
    if (delivered === undefined) return responseStatuses.permanentError
    try {
      const { listener, clock } = this.#options
      if (listener === undefined) return responseStatuses.temporaryError
      if (delivered.kind === 'receipt') await this.#handReceipt(delivered, listener)
      else {
        const { kind: _, ...text } = delivered
        await listener.onText({ ...text, at: clock.now() })
      }
      return 0
    } catch {
      return responseStatuses.temporaryError
    }
  }

  /** An invalid PDU is refused for good, because the SMSC would deliver it again and again. */
  #tryParse(pdu: Pdu): ReturnType<typeof parseDeliverSm> | undefined {
    try {
      return parseDeliverSm(pdu, this.#options.settings)
    } catch {
      return undefined
    }
  }

  async #handReceipt(receipt: SmppReceipt, listener: DriverListener): Promise<void> {
    const { ids } = this.#options
    // The response with this id may have come just before, and is not processed yet.
    if (ids.find(receipt.id) === undefined) await setImmediate()
    const to = ids.find(receipt.id)?.destination ?? receipt.from
    await listener.onReceipt({ to, state: receipt.state })
  }
}

/** A part that the SMSC accepted. */
interface SentPart {
  readonly destination: string
  /** The relay's id of the message. */
  readonly message: string
  /** From 1. */
  readonly part: number
}

/** Submitted parts by their SMPP `message_id`, for receipts; drops the oldest. */
export class SentMessageIds {
  readonly #parts = new Map<string, SentPart>()
  readonly #maxIds: number

  constructor(maxIds = 100_000) {
    this.#maxIds = maxIds
  }

  add(id: string, part: SentPart): void {
    this.#parts.set(normalizeId(id), part)
    if (this.#parts.size <= this.#maxIds) return
    const { value: oldest } = this.#parts.keys().next()
    if (oldest !== undefined) this.#parts.delete(oldest)
  }

  /**
   * Finds the part of a receipt. Some SMSCs use hexadecimal ids in responses and decimal ones
   * in receipts, or vice versa.
   */
  find(id: string): SentPart | undefined {
    for (const form of listIdForms(normalizeId(id))) {
      const part = this.#parts.get(form)
      if (part !== undefined) return part
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
