import { array, assert, boolean, constantFrom, integer, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import {
  applyDeliveryFailure,
  applyDeliveryGone,
  applyDeliverySuccess,
  deliveryTimeLimit,
  getAttemptNumber,
  type Subscription,
} from '../../../src/domain/webhook/subscription.js'
import {
  editSubscription,
  pauseOnRequest,
  replayAfter,
  resumeSubscription,
  skipEvent,
} from '../../../src/domain/webhook/subscription-state.js'

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
  /** Milliseconds that pass before it, beyond what a retry waits. */
  pass: integer({ min: 0, max: 30 * hour }),
  random: integer({ min: 0, max: 100 }).map(percent => percent / 100),
  retryAfter: integer({ min: 0, max: 3 * hour }),
  back: integer({ min: 1, max: 9 }),
})

const scenario = record({ skips: boolean(), acts: array(act, { maxLength: 80 }) })

test('a lane passes an event only by delivery, by request, or as dead after 72 hours where that was asked for', () => {
  assert(
    property(scenario, ({ skips, acts }) => {
      let lane: Subscription = {
        ...{ id: 's', account: 'a', event: 'message.create', url: 'http://h/', method: 'POST' },
        ...{ post: false, triggered: 0, createdAt: 0, cursor: 20 },
        onExhausted: skips ? 'skip' : 'pause',
      }
      let now = 0
      for (const { kind, pass, random, retryAfter, back } of acts) {
        now = Math.max(now, lane.trying?.retryAt ?? 0) + pass
        const before = lane
        const seq = lane.cursor + 1
        const isHit = kind === 'ok' || kind === 'fail' || kind === 'busy' || kind === 'gone'
        if (isHit && lane.paused !== undefined) continue
        if (kind === 'ok') lane = applyDeliverySuccess(lane, seq)
        else if (kind === 'fail') lane = applyDeliveryFailure(lane, seq, now, { random })
        else if (kind === 'busy')
          lane = applyDeliveryFailure(lane, seq, now, { random, retryAfter })
        else if (kind === 'gone') lane = applyDeliveryGone(lane, seq, now)
        else if (kind === 'pause') lane = pauseOnRequest(lane, now)
        else if (kind === 'resume') lane = resumeSubscription(lane, now)
        else if (kind === 'edit') lane = editSubscription(lane, { url: `http://h/${now}` }, now)
        else if (kind === 'skip') lane = skipEvent(lane, seq)
        else lane = replayAfter(lane, Math.max(lane.cursor - back, 0))

        if (kind === 'replay') expect(lane.cursor).toBeLessThanOrEqual(before.cursor)
        else if (kind === 'ok' || kind === 'skip') expect(lane.cursor).toBe(seq)
        else if (lane.cursor !== before.cursor) {
          expect([kind, lane.cursor, skips]).toEqual([
            expect.stringMatching(/fail|busy/),
            seq,
            true,
          ])
          expect(now + hour - (before.trying?.firstAt ?? now)).toBeGreaterThan(deliveryTimeLimit)
        }
        if (lane.trying !== undefined) expect(lane.trying.seq).toBe(lane.cursor + 1)
        if (lane.paused === undefined && (kind === 'fail' || kind === 'busy') && lane.trying) {
          const wait = lane.trying.retryAt - now
          expect(wait).toBeGreaterThanOrEqual(kind === 'busy' ? Math.min(retryAfter, hour) : 900)
          expect(wait).toBeLessThanOrEqual(1.1 * hour)
        }
        if (isHit && lane.trying?.seq === seq) {
          expect(getAttemptNumber(lane, seq)).toBe(getAttemptNumber(before, seq) + 1)
        }
        const isFirstHit = isHit && before.trying?.seq !== seq
        expect(lane.triggered - before.triggered).toBe(isFirstHit ? 1 : 0)
      }
    }),
    { numRuns: 500 },
  )
})
