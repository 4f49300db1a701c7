import { RelayError } from '../../errors.js'
import { isFinal, type Message, type MessageChange, reviseMessage, statusNames } from './message.js'

/** What networks report of a sent part, and what a message's delivery status can be. */
export const deliveryStates = ['pending', 'delivered', 'undelivered', 'expired'] as const

export type DeliveryState = (typeof deliveryStates)[number]

export interface PartReceipt {
  /** Number of the receipt's part, from 1. @default all parts */
  readonly part?: number | undefined
  readonly state: DeliveryState
  /**
   * When the network settled the part, by its receipt, in milliseconds since the epoch. @default
   * now
   */
  readonly at?: number | undefined
  readonly reason?: string | undefined
}

export interface DeliveryStatus {
  readonly state: DeliveryState
  readonly at: number
  readonly reason?: string
  readonly delivered: number
}

/** Seconds after which a receipt is acceptable again that came before its message was sent. */
const earlyReceiptDelay = 5

/** The letter of a part in {@link Message.delivery}; `-` is a part without a receipt. */
const letters = { pending: 'p', delivered: 'd', undelivered: 'u', expired: 'e' } as const
const noReceipt = '-'
export const deliveryPattern = /^([pdue-]+) (\d+)(?: ([\s\S]*))?$/

/** Parses what a message stores of its receipts; undefined without receipts. */
export function getDeliveryStatus({
  delivery,
}: Pick<Message, 'delivery'>): DeliveryStatus | undefined {
  const [, parts = '', at, reason] = deliveryPattern.exec(delivery ?? '') ?? []
  if (at === undefined) return undefined
  const delivered = [...parts].filter(letter => letter === letters.delivered).length
  const status = { state: combineParts(parts), at: Number(at), delivered }
  return reason === undefined ? status : { ...status, reason }
}

/** The delivery state in {@link Message.delivery}, without the rest of it. */
export function getDeliveryState(delivery: string | undefined): DeliveryState | undefined {
  return delivery === undefined ? undefined : combineParts(delivery.slice(0, delivery.indexOf(' ')))
}

/**
 * Applies a receipt to a sent message. The first final state of a part remains; a repeated receipt
 * changes nothing. A receipt for all of several parts can be that of one of them, so one that is
 * not delivered counts after one that is. Records `message.delivered` when all parts are delivered,
 * `message.undelivered` when the first one is not. Throws `invalid_state` if the message is not
 * sent, with `retryAfter` if it can still be; `invalid_parameter` for a part that the message does
 * not have.
 */
export function applyReceipt(message: Message, receipt: PartReceipt, now: number): MessageChange {
  if (message.status !== 'S') throw notSentError(message)
  const count = message.parts ?? 1
  const { part, state } = receipt
  if (part !== undefined && part > count) throw missingPartError(part, count)
  const before = getDeliveryStatus(message)
  const old = message.delivery?.split(' ', 1)[0] ?? noReceipt.repeat(count)
  const isOfAll = part === undefined && count > 1
  const parts = [...old].map((letter, index) =>
    part === undefined || part === index + 1
      ? advancePart(letter, letters[state], isOfAll)
      : letter,
  )
  if (parts.join('') === old) return {}
  const combined = combineParts(parts.join(''))
  const at = Math.max(before?.at ?? 0, Math.min(receipt.at ?? now, now))
  const reason = chooseReason(combined, receipt, before)
  const delivery = `${parts.join('')} ${at}${reason === undefined ? '' : ` ${reason}`}`
  const revised = reviseMessage(message, { delivery })
  return { message: revised, events: findDeliveryEvents(before?.state, combined) }
}

function combineParts(parts: string): DeliveryState {
  if (parts === letters.delivered) return 'delivered'
  if (parts.includes(letters.undelivered)) return 'undelivered'
  if (parts.includes(letters.expired)) return 'expired'
  return /^d+$/.test(parts) ? 'delivered' : 'pending'
}

function advancePart(old: string, next: string, isOfAll: boolean): string {
  if (old === noReceipt || old === letters.pending) return next
  const isWorse = next === letters.undelivered || next === letters.expired
  return isOfAll && old === letters.delivered && isWorse ? next : old
}

function chooseReason(
  state: DeliveryState,
  receipt: PartReceipt,
  before: DeliveryStatus | undefined,
): string | undefined {
  if (state === 'delivered') return undefined
  if (state === before?.state) return before.reason ?? receipt.reason
  return receipt.reason
}

function findDeliveryEvents(
  before: DeliveryState | undefined,
  after: DeliveryState,
): ('message.delivered' | 'message.undelivered')[] {
  const isSettled = before === 'undelivered' || before === 'expired' || before === after
  if (isSettled || after === 'pending') return []
  return [after === 'delivered' ? 'message.delivered' : 'message.undelivered']
}

function notSentError(message: Message): RelayError {
  const options = isFinal(message) ? {} : { retryAfter: earlyReceiptDelay }
  return new RelayError(
    'invalid_state',
    `The message is ${statusNames[message.status]}; only a sent message has receipts.`,
    options,
  )
}

function missingPartError(part: number, count: number): RelayError {
  return new RelayError(
    'invalid_parameter',
    `\`part\` must be an integer, 1 to ${count}, the parts of the message; not ${part}.`,
  )
}
