import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deliveryModes } from '../../../src/domain/account/account.js'
import { listAttempts, listReleases } from '../../../src/domain/message/attempts.js'
import { blockMessage, claimMessage, expireLease } from '../../../src/domain/message/claim.js'
import {
  deleteMessage,
  editMessage,
  lockMessage,
  retryMessage,
  undeleteMessage,
  unlockMessage,
} from '../../../src/domain/message/edit-message.js'
import {
  getDueTime,
  isFinal,
  isWaiting,
  type Message,
  type MessageChange,
} from '../../../src/domain/message/message.js'
import { releaseMessage, reportFailure, reportSuccess } from '../../../src/domain/message/report.js'
import { isRelayError } from '../../../src/errors.js'
import { scale } from '../../tier.js'
import { messageWith, start } from '../samples.js'

interface Act {
  readonly name: string
  readonly wait: number
  readonly holder: string
  readonly key: string | undefined
  readonly unknown: boolean
  readonly blocked: boolean
  readonly mode: (typeof deliveryModes)[number]
}

interface Step {
  readonly act: Act
  readonly now: number
  readonly before: Message
  readonly change: MessageChange & { readonly given?: boolean }
}

const acts = [
  'succeed',
  'fail',
  'fail',
  'fail',
  'edit',
  'postpone',
  'remove',
  'lock',
  'unlock',
  'undelete',
  'retry',
]
const byNext = ['claim', 'claim', 'release', 'lapse', 'block']
const act = fc.record({
  name: fc.constantFrom(...acts, ...byNext),
  wait: fc.constantFrom(0, 1, 30_000, 120_000, 3_600_000),
  holder: fc.constantFrom('p', 'q'),
  key: fc.constantFrom(undefined, undefined, 'k1', 'k2'),
  unknown: fc.boolean(),
  blocked: fc.integer({ max: 9 }).map(n => n === 9),
})
const history = fc
  .tuple(fc.constantFrom(...deliveryModes), fc.array(act, { maxLength: 30, size: 'max' }))
  .map(([mode, list]) => list.map((each): Act => ({ ...each, mode })))

function decide(message: Message, { name, ...act }: Act, now: number): Step['change'] {
  const { holder, key } = act
  const by = { holder, now, key, phone: `phone ${holder}`, lease: leaseTime }
  const failure = { error: 'busy', outcome: act.unknown ? 'unknown' : 'failed' } as const
  if (name === 'succeed') return reportSuccess(message, { parts: 1 }, by)
  if (name === 'fail') return reportFailure(message, failure, by, act.mode)
  if (name === 'release') return releaseMessage(message, { retryAfter: 1000 }, by, act)
  if (name === 'edit') return editMessage(message, { text: 'other' }, now, act)
  if (name === 'postpone') return editMessage(message, { sendAt: now + 60_000 }, now, act)
  if (name === 'remove') return deleteMessage(message, now)
  if (name === 'lock') return lockMessage(message, now)
  if (name === 'unlock') return unlockMessage(message, now, act)
  if (name === 'retry') return retryMessage(message, now, act)
  if (name === 'undelete') return undeleteMessage(message, now, act, act.mode)
  if (!isWaiting(message)) return {}
  const asked = { ...by, mode: act.mode, formerPhone: `phone ${message.lease?.holder}` }
  if (name === 'claim') return claimMessage(message, asked, act)
  return name === 'lapse' ? expireLease(message, asked) : blockMessage(message, now)
}

const leaseTime = 120_000

/** The effect of each act until one removed the message; an error has no effect. */
function play(list: readonly Act[]): Step[] {
  let now = start
  let message: Message | null = messageWith()
  const steps: Step[] = []
  for (const act of list) {
    now += act.wait
    let change: Step['change'] = {}
    try {
      change = decide(message, act, now)
    } catch (error) {
      if (!isRelayError(error, 'invalid_state')) throw error
    }
    steps.push({ act, now, before: message, change })
    message = change.message === undefined ? message : change.message
    if (message === null) break
  }
  return steps
}

function inEveryStep(verify: (step: Step, next: Message) => void): void {
  const check = (list: Act[]): void => {
    for (const step of play(list)) {
      if (step.change.message !== null) verify(step, step.change.message ?? step.before)
    }
  }
  fc.assert(fc.property(history, check), { numRuns: scale(400) })
}

describe('after any decisions', () => {
  test('failures are 0 to 5, and 5 only if Failed', () => {
    inEveryStep((_, next) => {
      expect(Number.isInteger(next.failures) && next.failures >= 0).toBe(true)
      expect(next.failures).toBeLessThanOrEqual(5)
      expect(next.failures === 5).toBe(next.status === 'F')
    })
  })

  test('statusAt changes exactly with the status', () => {
    inEveryStep(({ before, now }, next) => {
      expect(next.statusAt).toBe(next.status === before.status ? before.statusAt : now)
    })
  })

  test('a sent, failed or blocked message never changes', () => {
    inEveryStep(({ before }, next) => {
      if (isFinal(before)) expect(next).toEqual(before)
    })
  })

  test('only a deletion removes a message, and only a final one', () => {
    const check = (list: Act[]): void => {
      const last = play(list).at(-1)
      if (last?.change.message !== null) return
      expect(last.act.name).toBe('remove')
      expect(isFinal(last.before)).toBe(true)
    }
    fc.assert(fc.property(history, check), { numRuns: scale(400) })
  })

  test('an event is recorded once, when its status is reached', () => {
    const names = { S: 'message.sent', F: 'message.failed', B: 'message.blocked' }
    inEveryStep(({ before, change }, next) => {
      const reached = before.status === next.status ? undefined : next.status
      const expected = Object.entries(names).filter(([letter]) => letter === reached)
      expect(change.events ?? []).toEqual(expected.map(([, event]) => event))
    })
  })

  test('a message that another phone leases is never claimed', () => {
    inEveryStep(({ before, change, act, now }) => {
      const held = before.lease !== undefined && before.lease.until > now
      if (held && before.lease?.holder !== act.holder) expect(change.given ?? false).toBe(false)
    })
  })

  test('in at-most-once mode a message whose lease ended is not claimed', () => {
    inEveryStep(({ before, change, act, now }) => {
      const ended = before.lease !== undefined && before.lease.until <= now
      if (ended && act.mode === 'at-most-once') expect(change.given ?? false).toBe(false)
    })
  })

  test('in at-most-once mode a second claim needs a lease, report, release or unlock', () => {
    const open = ['fail', 'release', 'unlock']
    const check = (list: Act[]): void => {
      let holder: string | undefined
      for (const { act, change, before } of play(
        list.map(each => ({ ...each, mode: 'at-most-once' })),
      )) {
        if (open.includes(act.name) && change.message) holder = undefined
        if (change.given !== true) continue
        expect([undefined, act.holder]).toContain(holder)
        holder = act.holder
        expect(isWaiting(before)).toBe(true)
      }
    }
    fc.assert(fc.property(history, check), { numRuns: scale(400) })
  })

  test('only the phone with the lease can release a message, and that counts nothing', () => {
    inEveryStep(({ act, before, change }, next) => {
      if (act.name !== 'release' || change.message === undefined) return
      expect(before.lease?.holder).toBe(act.holder)
      if (act.blocked) {
        expect(next.status).toBe('B')
        return
      }
      const { lease: _, lastHolder: __, retryAt: ___, ...same } = before
      expect(next).toEqual({ ...same, retryAt: expect.any(Number), leases: next.leases })
      expect(change.events).toBeUndefined()
    })
  })

  test('a final message has no lease', () => {
    inEveryStep((_, next) => {
      if (isFinal(next)) expect(next).not.toHaveProperty('lease')
    })
  })

  test('each lease that ends is the last attempt or the last release', () => {
    inEveryStep(({ before, act, now }, next) => {
      const { lease } = before
      const isReplaced = lease && lease.until <= now && next.lease?.until !== lease.until
      if (lease === undefined || !(isReplaced || next.lease === undefined)) return
      const isReport = act.name === 'succeed' || act.name === 'fail'
      if (isReport ? act.holder !== lease.holder : next.status === 'B') return
      const known = ['succeed', 'fail', 'release', 'claim', 'lapse'].includes(act.name)
      const at = isReport || act.name === 'release' ? now : lease.until
      const begun = { beganAt: lease.until - leaseTime, phone: `phone ${lease.holder}` }
      const end = { at, ...(known ? begun : { beganAt: undefined, phone: undefined }) }
      const failed = isReport && !act.unknown ? 'failed' : 'unknown'
      const outcome = act.name === 'succeed' ? 'sent' : failed
      if (act.name === 'release') expect(listReleases(next).at(-1)).toEqual(end)
      else expect(listAttempts(next).at(-1)).toMatchObject({ ...end, outcome })
    })
  })

  test('no act of a user ends a lease that runs, unless the message is blocked', () => {
    const byUsers = ['edit', 'postpone', 'remove', 'lock', 'unlock', 'undelete', 'retry']
    inEveryStep(({ before, act, now }, next) => {
      if (!byUsers.includes(act.name) || next.status === 'B') return
      if (before.lease !== undefined && before.lease.until > now)
        expect(next.lease).toEqual(before.lease)
    })
  })

  test('nobody claims a message before it is due', () => {
    inEveryStep(({ before, change, now }) => {
      if (getDueTime(before) > now) expect(change.given ?? false).toBe(false)
    })
  })

  test('a repeated report with its key changes nothing', () => {
    inEveryStep(({ act, now, change }, next) => {
      if (act.key === undefined || !['succeed', 'fail'].includes(act.name) || !change.message)
        return
      expect(decide(next, act, now + 1)).toEqual({})
    })
  })
})
