import { expect, test } from 'vitest'
import { RequestRate } from '../../../src/cli/bulk/request-rate.js'
import { keyLifetime, type RowSendOptions, sendRow } from '../../../src/cli/bulk/send-row.js'
import type { MessageFields } from '../../../src/contract/message-schema.js'
import { type ErrorCode, RelayError } from '../../../src/errors.js'
import { FakeClock } from '../../util/async/fake-clock.js'

const draft = { destination: '5551212', message: 'hi' }
const accepted = { id: 'm1', status: 'N' } as MessageFields

/** Sends a row to a relay that gives these answers in turn; the last one is repeated. */
function createSending(
  answers: (ErrorCode | RelayError | 'ok')[],
  more: Partial<RowSendOptions> = {},
) {
  const keys: (string | undefined)[] = []
  const outages: (string | undefined)[] = []
  const clock = new FakeClock({ start: 0, auto: true })
  const options: RowSendOptions = {
    client: {
      messages: {
        async create(_, call) {
          keys.push(call?.idempotencyKey)
          const answer = answers.length > 1 ? answers.shift() : answers[0]
          if (answer === 'ok' || answer === undefined) return accepted
          throw typeof answer === 'string' ? new RelayError(answer, answer) : answer
        },
      },
    },
    clock,
    random: () => 1,
    stop: new AbortController().signal,
    forceSignal: new AbortController().signal,
    onOutage: error => outages.push(error?.code),
    ...more,
  }
  const send = () => sendRow({ draft, key: 'k', since: 0 }, options)
  return { keys, outages, clock, send }
}

test('transient errors are retried with the same key and growing delays', async () => {
  const { keys, outages, clock, send } = createSending([
    ...(['unreachable', 'timed_out', 'unavailable', 'invalid_reply', 'internal_error'] as const),
    ...(['unreachable', 'unreachable', 'unreachable', 'ok'] as const),
  ])
  expect(await send()).toMatchObject({ outcome: 'accepted' })
  expect(keys).toEqual(Array.from({ length: 9 }, () => 'k'))
  expect(clock.slept).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  expect(outages.at(-1)).toBeUndefined()
})

test('the delay is at least what the relay asks for', async () => {
  const busy = new RelayError('too_many_requests', 'busy', { retryAfter: 90 })
  const { clock, send } = createSending([busy, 'ok'])
  await send()
  expect(clock.slept).toEqual([90_000])
})

test.each(['invalid_parameter', 'invalid_request', 'payload_too_large'] as const)(
  '%s rejects the row without a retry',
  async code => {
    const { keys, send } = createSending([code])
    expect(await send()).toEqual({ outcome: 'refused', reason: code })
    expect(keys.length).toBe(1)
  },
)

test.each(['invalid_client', 'invalid_token', 'insufficient_scope', 'not_found'] as const)(
  '%s is thrown, because it concerns all rows',
  async code => {
    const { send } = createSending([code])
    await expect(send()).rejects.toMatchObject({ code })
  },
)

test('a row with an unknown result is not retried after its key has expired', async () => {
  const { keys, clock, send } = createSending(['unreachable'])
  expect(await send()).toEqual({ outcome: 'unknown' })
  expect(clock.now()).toBeGreaterThan(keyLifetime)
  expect(keys.length).toBeGreaterThan(100)
})

test('nothing is retried after a stop', async () => {
  const { keys, outages, send } = createSending(['unreachable'], { stop: AbortSignal.abort() })
  expect(await send()).toEqual({ outcome: 'stopped' })
  expect([keys.length, outages]).toEqual([1, []])
})

test('all workers together keep the rate, and unused time allows no burst later', async () => {
  const clock = new FakeClock({ start: 0 })
  const rate = new RequestRate(10, clock)
  const { signal } = new AbortController()
  for (const _ of [1, 2]) {
    const turns = [1, 2, 3].map(() => rate.waitForTurn(1, signal))
    clock.advance(10_000)
    await Promise.all(turns)
  }
  expect(clock.slept).toEqual([100, 200, 100, 200])
})

test.each([
  [undefined, 1000],
  [100_000, 1000],
  [100, 10],
  [1, 1],
])('at %s rows a second a request has %i rows', (rate, rows) => {
  expect(new RequestRate(rate, new FakeClock()).rowsPerRequest).toBe(rows)
})
