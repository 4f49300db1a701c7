import type { DeliveryReceipt, DriverListener } from '../../driver-port/driver.js'
import type { Pdu } from './pdu/pdu.js'
import { responseStatuses } from './pdu/smpp-status.js'
import type { SmppSettings } from './settings/smpp-settings.js'
import { type Delivered, parseDeliverSm, type SmppReceipt } from './text/deliver-sm.js'

interface SmppInboxOptions {
  readonly settings: Pick<SmppSettings, 'alphabet' | 'dataCoding' | 'reports'>
  readonly listener: DriverListener | undefined
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
    const { listener } = this.#options
    try {
      if (listener !== undefined && (await this.#store(delivered, listener))) return 0
      return responseStatuses.temporaryError
    } catch {
      return responseStatuses.temporaryError
    }
  }

  /** An invalid PDU is refused for good, because the SMSC would deliver it again and again. */
  #tryParse(pdu: Pdu): Delivered | undefined {
    try {
      return parseDeliverSm(pdu, this.#options.settings)
    } catch {
      return undefined
    }
  }

  /**
   * Stores a text or receipt. False for the receipt of a text that this phone did not send: the
   * SMSC delivers it again, to the bind of another phone.
   */
  async #store(delivered: Delivered, listener: DriverListener): Promise<boolean> {
    const { text, use, receipt, isMarked } = delivered
    if (receipt !== undefined) {
      const fields = toDeliveryReceipt(text.from, receipt)
      const isOwn = await this.#isOwn(fields, isMarked, listener)
      if (isOwn) await listener.onReceipt(fields)
      if (isOwn || isMarked) return isOwn
    }
    if (use !== undefined) listener.onIgnored?.({ from: text.from, content: use })
    // deliver_sm has no time.
    else await listener.onText({ ...text, at: 0 })
    return true
  }

  async #isOwn(
    receipt: DeliveryReceipt,
    isMarked: boolean,
    listener: DriverListener,
  ): Promise<boolean> {
    // Without `reports` no phone knows its ids, and an SMSC that sends receipts would never stop.
    const isForAll = receipt.networkId === undefined || !this.#options.settings.reports
    if (isMarked && isForAll) return true
    return (await listener.isOwnReceipt?.(receipt, isMarked)) ?? isMarked
  }
}

function toDeliveryReceipt(to: string, receipt: SmppReceipt): DeliveryReceipt {
  const { id, state, elapsed } = receipt
  const reason = formatReason(receipt)
  return {
    to,
    state,
    ...(id === '' ? {} : { networkId: id }),
    ...(reason === '' ? {} : { reason }),
    ...(elapsed === undefined ? {} : { elapsed }),
  }
}

/** The SMSC's word and error code, if the part is not delivered. */
function formatReason({ state, word, error }: SmppReceipt): string {
  if (state === 'delivered') return ''
  const code = /^0*$/.test(error) ? '' : `error ${error}`
  return [word, code].filter(text => text !== '').join(', ')
}
