import { array, assert, boolean, constantFrom, integer, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import {
  applyDeliveryFailure,
  applyDeliveryGone,
  applyDeliverySuccess,
  deliveryTimeLimit,
  getAttemptNumber,
  pauseSubscription,
  replayAfter,
  type Subscription,
} from '../../../src/domain/webhook/subscription.js'
import {
  editSubscription,
  resumeSubscription,
} from '../../../src/domain/webhook/subscription-state.js'
import { settleEvent } from '../../../src/domain/webhook/tried-events.js'
import { scale } from '../../tier.js'

const hour = 60 * 60 * 1000

const act = record({
  kind: constantFrom(
    ...([
      'ok',
      'fail',
      'fail',
      'busy',
      'gone',
      'pause',
      'resume',
      'edit',
      'skip',
      'replay',
    ] as const),
  ),
  /** Milliseconds that pass before it, after the time of a retry. */
  pass: integer({ min: 0, max: 30 * hour }),
  random: integer({ min: 0, max: 100 }).map(percent => percent / 100),
  retryAfter: integer({ min: 0, max: 3 * hour }),
  back: integer({ min: 1, max: 9 }),
})

const scenario = record({ skips: boolean(), acts: array(act, { maxLength: 80 }) })

test('the cursor moves only by a delivery, a user, or after 72 hours with onExhausted skip', () => {
  assert(
    property(scenario, ({ skips, acts }) => {
      let subscription: Subscription = {
        id: 's',
        account: 'a',
        event: 'message.create',
        url: 'http://h/',
        method: 'POST',
        post: false,
        triggered: 0,
        createdAt: 0,
        cursor: 20,
        onExhausted: skips ? 'skip' : 'pause',
      }
      let now = 0
      for (const { kind, pass, random, retryAfter, back } of acts) {
        now = Math.max(now, subscription.trying?.retryAt ?? 0) + pass
        const before = subscription
        const seq = subscription.cursor + 1
        const isResult = kind === 'ok' || kind === 'fail' || kind === 'busy' || kind === 'gone'
        if (isResult && subscription.paused !== undefined) continue
        if (kind === 'ok') subscription = applyDeliverySuccess(subscription, seq)
        else if (kind === 'fail')
          subscription = applyDeliveryFailure(subscription, seq, now, { random })
        else if (kind === 'busy')
          subscription = applyDeliveryFailure(subscription, seq, now, { random, retryAfter })
        else if (kind === 'gone') subscription = applyDeliveryGone(subscription, seq, now)
        else if (kind === 'pause') subscription = pauseSubscription(subscription, now, 'request')
        else if (kind === 'resume') subscription = resumeSubscription(subscription, now)
        else if (kind === 'edit')
          subscription = editSubscription(subscription, { url: `http://h/${now}` }, now)
        else if (kind === 'skip') subscription = settleEvent(subscription, seq)
        else subscription = replayAfter(subscription, Math.max(subscription.cursor - back, 0))

        if (kind === 'replay') expect(subscription.cursor).toBeLessThanOrEqual(before.cursor)
        else if (kind === 'ok' || kind === 'skip') expect(subscription.cursor).toBe(seq)
        else if (subscription.cursor !== before.cursor) {
          expect([kind, subscription.cursor, skips]).toEqual([
            expect.stringMatching(/fail|busy/),
            seq,
            true,
          ])
          expect(now + hour - (before.trying?.firstAt ?? now)).toBeGreaterThan(deliveryTimeLimit)
        }
        if (subscription.trying !== undefined)
          expect(subscription.trying.seq).toBe(subscription.cursor + 1)
        if (
          subscription.paused === undefined &&
          (kind === 'fail' || kind === 'busy') &&
          subscription.trying
        ) {
          const wait = subscription.trying.retryAt - now
          expect(wait).toBeGreaterThanOrEqual(kind === 'busy' ? Math.min(retryAfter, hour) : 900)
          expect(wait).toBeLessThanOrEqual(1.1 * hour)
        }
        if (isResult && subscription.trying?.seq === seq) {
          expect(getAttemptNumber(subscription, seq)).toBe(getAttemptNumber(before, seq) + 1)
        }
        const isFirst = isResult && before.trying?.seq !== seq
        expect(subscription.triggered - before.triggered).toBe(isFirst ? 1 : 0)
      }
    }),
    { numRuns: scale(500) },
  )
})
