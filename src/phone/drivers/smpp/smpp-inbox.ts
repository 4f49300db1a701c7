import type { Clock } from '../../../util/async/clock.js'
import type { DriverListener } from '../../driver-port/driver.js'
import type { Pdu } from './pdu/pdu.js'
import { responseStatuses } from './pdu/smpp-status.js'
import { type AlphabetSettings, parseDeliverSm, type SmppReceipt } from './text/deliver-sm.js'

interface SmppInboxOptions {
  readonly settings: AlphabetSettings
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
    const { id, from: to, state, elapsed } = receipt
    const reason = formatReason(receipt)
    await listener.onReceipt({
      to,
      state,
      ...(id === '' ? {} : { networkId: id }),
      ...(reason === '' ? {} : { reason }),
      ...(elapsed === undefined ? {} : { elapsed }),
    })
  }
}

/** The SMSC's word and error code, if the part is not delivered. */
function formatReason({ state, word, error }: SmppReceipt): string {
  if (state === 'delivered') return ''
  const code = /^0*$/.test(error) ? '' : `error ${error}`
  return [word, code].filter(text => text !== '').join(', ')
}
