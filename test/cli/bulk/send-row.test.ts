import { expect, test } from 'vitest'
import { formatProgress } from '../../../src/cli/bulk/progress-bar.js'
import { RequestRate } from '../../../src/cli/bulk/request-rate.js'
import { keyLifetime, type RowSendOptions, sendRow } from '../../../src/cli/bulk/send-row.js'
import type { MessageFields } from '../../../src/contract/message-schema.js'
import { type ErrorCode, RelayError } from '../../../src/errors.js'

const draft = { destination: '5551212', message: 'hi' }
const accepted = { id: 'm1', status: 'N' } as MessageFields

/** A client that answers with these, in turn; what the last one is goes on. */
function sending(answers: (ErrorCode | RelayError | 'ok')[], more: Partial<RowSendOptions> = {}) {
  const keys: (string | undefined)[] = []
  const waits: number[] = []
  const told: (string | undefined)[] = []
  let time = 0
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
    pause: async ms => {
      waits.push(ms)
      time += ms
    },
    random: () => 1,
    clock: () => time,
    stop: new AbortController().signal,
    force: new AbortController().signal,
    onOutage: error => void told.push(error?.code),
    ...more,
  }
  return { keys, waits, told, options }
}

test('a row is tried with one key until the relay answers, ever more slowly', async () => {
  const { keys, waits, told, options } = sending([
    ...(['unreachable', 'timed_out', 'unavailable', 'invalid_reply', 'internal_error'] as const),
    ...(['unreachable', 'unreachable', 'unreachable', 'ok'] as const),
  ])
  expect(await sendRow(draft, { key: 'k', since: 0 }, options)).toMatchObject({ fate: 'accepted' })
  expect(keys).toEqual(Array.from({ length: 9 }, () => 'k'))
  expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  expect(told.at(-1)).toBeUndefined()
})

test('what the relay asks for is waited for', async () => {
  const busy = new RelayError('too_many_requests', 'busy', { retryAfter: 90 })
  const { waits, options } = sending([busy, 'ok'])
  await sendRow(draft, { key: 'k', since: 0 }, options)
  expect(waits).toEqual([90_000])
})

test.each(['invalid_parameter', 'invalid_request'] as const)('%s refuses the row', async code => {
  const { keys, options } = sending([code])
  const fate = await sendRow(draft, { key: 'k', since: 0 }, options)
  expect(fate).toEqual({ fate: 'refused', reason: code })
  expect(keys.length).toBe(1)
})

test.each(['invalid_client', 'invalid_token', 'insufficient_scope', 'not_found'] as const)(
  '%s ends all rows',
  async code => {
    const { options } = sending([code])
    await expect(sendRow(draft, { key: 'k', since: 0 }, options)).rejects.toMatchObject({ code })
  },
)

test('a row that may have been accepted is not tried with a key that may have ended', async () => {
  const { keys, options } = sending(['unreachable'])
  expect(await sendRow(draft, { key: 'k', since: 0 }, options)).toEqual({ fate: 'unknown' })
  expect(options.clock()).toBeGreaterThan(keyLifetime)
  expect(keys.length).toBeGreaterThan(100)
})

test('nothing is tried again once the end was asked for', async () => {
  const { keys, told, options } = sending(['unreachable'], { stop: AbortSignal.abort() })
  expect(await sendRow(draft, { key: 'k', since: 0 }, options)).toEqual({ fate: 'left' })
  expect([keys.length, told]).toEqual([1, []])
})

test('turns come at the rate, whoever asks, and lost time is not made up for', async () => {
  let now = 0
  const waits: number[] = []
  const pause = async (ms: number) => void waits.push(ms)
  const pacer = new RequestRate({ rate: 10, now: () => now, pause })
  const { signal } = new AbortController()
  for (let at = 0; at < 3; at += 1) await pacer.waitForTurn(signal)
  now = 10_000
  for (let at = 0; at < 3; at += 1) await pacer.waitForTurn(signal)
  expect(waits).toEqual([100, 200, 100, 200])
})

test.each([
  [{ rows: 10, finished: 0 }, 0, /^░{20} 0% {2}0 of 10$/],
  [{ rows: 10, finished: 5 }, 2.5, /^█{10}░{10} 50% {2}5 of 10 {2}2\.5\/s, 2 s left$/],
  [{ rows: 1000, finished: 0 }, 1, / 17 min left$/],
  [{ rows: 10_000, finished: 0 }, 1, / 2 h 47 min left$/],
])('%o at %d/s', (standing, speed, line) => {
  expect(formatProgress(standing, speed)).toMatch(line)
})
