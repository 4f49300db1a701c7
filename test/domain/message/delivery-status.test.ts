import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  applyReceipt,
  deliveryStates,
  getDeliveryStatus,
  type PartReceipt,
} from '../../../src/domain/message/delivery-status.js'
import { type Message, statusNames } from '../../../src/domain/message/message.js'
import { isRelayError } from '../../../src/errors.js'
import { applied, inState, messageWith, minute, start } from '../samples.js'

const now = start + 10 * minute
const sent = (parts: number) => messageWith({ status: 'S', parts })

function apply(message: Message, ...receipts: readonly PartReceipt[]): Message {
  return receipts.reduce(
    (before, receipt) => applied(before, applyReceipt(before, receipt, now)),
    message,
  )
}

/** The delivery state after receipts for the parts, as letters and numbers such as `d1 p2`. */
function stateAfter(parts: number, text: string) {
  const states = { p: 'pending', d: 'delivered', u: 'undelivered', e: 'expired' } as const
  const receipts = text.split(' ').map(each => {
    const part = each.length === 1 ? undefined : Number(each[1])
    return { state: states[each[0] as 'p'], part }
  })
  return getDeliveryStatus(apply(sent(parts), ...receipts))?.state
}

test.each([
  [1, 'p1', 'pending'],
  [1, 'd1', 'delivered'],
  [1, 'd1 p1', 'delivered'],
  [1, 'd1 u1', 'delivered'],
  [1, 'u1 d1', 'undelivered'],
  [1, 'e1', 'expired'],
  [2, 'd1', 'pending'],
  [2, 'd2 d1', 'delivered'],
  [2, 'd1 d1', 'pending'],
  [2, 'd1 e2', 'expired'],
  [3, 'e1 u2', 'undelivered'],
  [3, 'd', 'delivered'],
  [3, 'u2 d', 'undelivered'],
  [1, 'd u', 'delivered'],
  [2, 'd u', 'undelivered'],
  [2, 'd e d', 'expired'],
  [2, 'u d', 'undelivered'],
  [2, 'd p', 'delivered'],
] as const)('a message of %i parts with the receipts %s is %s', (parts, receipts, state) => {
  expect(stateAfter(parts, receipts)).toBe(state)
})

test('a delivery status has the latest time and the reason of what is not delivered', () => {
  const message = apply(
    sent(3),
    { part: 1, state: 'delivered', at: start + 5 },
    { part: 2, state: 'undelivered', at: start + 3, reason: 'absent subscriber' },
    { part: 3, state: 'undelivered', at: start + 4, reason: 'other' },
  )
  expect(getDeliveryStatus(message)).toEqual({
    ...{ state: 'undelivered', at: start + 5, reason: 'absent subscriber', delivered: 1 },
  })
})

test('a time in the future counts as now', () => {
  const message = apply(sent(1), { state: 'delivered', at: now + minute })
  expect(getDeliveryStatus(message)?.at).toBe(now)
})

test('any receipts leave a sent message sent, and give one event for each state', () => {
  const receipt = fc.record({
    part: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    state: fc.constantFrom(...deliveryStates),
    at: fc.option(fc.integer({ min: start, max: now + minute }), { nil: undefined }),
    reason: fc.option(fc.string(), { nil: undefined }),
  })
  const property = fc.property(fc.array(receipt), receipts => {
    let message = sent(3)
    const events: string[] = []
    for (const each of receipts) {
      const change = applyReceipt(message, each, now)
      events.push(...(change.events ?? []))
      message = applied(message, change)
      const { delivery, ...rest } = message
      expect(rest).toEqual(sent(3))
      expect(applyReceipt(message, each, now + minute)).toEqual({})
    }
    const state = getDeliveryStatus(message)?.state
    const isSettled = state !== undefined && state !== 'pending'
    const last = state === 'delivered' ? 'message.delivered' : 'message.undelivered'
    expect(events.at(-1)).toBe(isSettled ? last : undefined)
    expect(events).toEqual([...new Set(events)])
  })
  fc.assert(property)
})

describe('a receipt for a message that is not sent', () => {
  test.each(['N', 'E', 'L', 'D', 'F', 'B'] as const)('in %s is invalid_state', status => {
    try {
      applyReceipt(inState(status), { state: 'delivered' }, now)
      expect.unreachable()
    } catch (error) {
      if (!isRelayError(error, 'invalid_state')) throw error
      expect(error.message).toContain(statusNames[status])
      expect(error.retryAfter).toBe('FB'.includes(status) ? undefined : 5)
    }
  })
})

test('a receipt for a part that the message does not have is invalid_parameter', () => {
  expect(() => applyReceipt(sent(2), { part: 3, state: 'delivered' }, now)).toThrow('1 to 2')
})
