import { describe, expect, it } from 'vitest'
import { waitUntilFinal } from '../../../src/cli/message/wait-for-message.js'
import type { MessageFields } from '../../../src/contract/message-schema.js'
import type { DeliveryState } from '../../../src/domain/message/delivery-status.js'
import type { Status } from '../../../src/domain/message/message.js'
import { RelayError } from '../../../src/errors.js'
import { createClock } from '../../../src/util/async/clock.js'

const { signal } = new AbortController()
const clock = createClock()

describe('waitUntilFinal', () => {
  it('returns a final message without a request', async () => {
    const message = { ...newMessage, status: 'B' } as const
    expect(await waitUntilFinal(createRelay(), message, { clock, signal })).toBe(message)
  })

  it.each(['S', 'F', 'B', 'D'] as const)('returns a message with the status %s', async status => {
    const final = await waitUntilFinal(createRelay('N', 'E', 'L', status), newMessage, {
      clock,
      signal,
      interval: 0,
    })
    expect(final.status).toBe(status)
  })

  it.each([
    ['S', 'S delivered'],
    ['S pending', 'S undelivered'],
    ['S pending', 'S expired'],
    ['E', 'F'],
  ] as const)('with delivery it does not end at %s, but at %s', async (before, end) => {
    const [status = 'S', state] = end.split(' ') as [Status, ...string[]]
    const replies = [before, before, end].map(each => toMessage(each))
    const client = { messages: { get: async () => replies.shift() ?? newMessage } }
    const options = { clock, signal, interval: 0, delivery: true }
    const last = await waitUntilFinal(client, newMessage, options)
    expect([last.status, last.delivery?.state]).toEqual([status, state])
  })

  it('returns a message that no longer exists as deleted', async () => {
    const gone = createRelay('N', new RelayError('not_a_message', 'No such message.'))
    expect((await waitUntilFinal(gone, newMessage, { clock, signal, interval: 0 })).status).toBe(
      'D',
    )
  })

  it('retries while the relay is down for a short time', async () => {
    const outage = new RelayError('unreachable', 'It is down.')
    const client = createRelay(outage, outage, 'N', outage, outage, 'S')
    const options = { clock, signal, interval: 0, maxFailures: 2 }
    expect((await waitUntilFinal(client, newMessage, options)).status).toBe('S')
  })

  it('tells each failed attempt that another one follows', async () => {
    const failures = [0, 1, 1, 2, 5]
    const get = async (): Promise<MessageFields> => {
      const failure_count = failures.shift() ?? 0
      const status = failure_count === 0 ? 'N' : failure_count < 5 ? 'E' : 'F'
      return { ...newMessage, status, failure_count }
    }
    const told: number[] = []
    const onFailure = (message: MessageFields) => told.push(message.failure_count)
    const options = { clock, signal, interval: 0, onFailure }
    await waitUntilFinal({ messages: { get } }, newMessage, options)
    expect(told).toEqual([1, 2])
  })

  it('throws if the relay stays down', async () => {
    const outage = new RelayError('unreachable', 'It is down.')
    const waiting = waitUntilFinal(createRelay(outage, outage), newMessage, {
      clock,
      signal,
      interval: 0,
      maxFailures: 1,
    })
    const { id } = newMessage
    await expect(waiting).rejects.toMatchObject({ code: 'unreachable', fields: { id } })
  })

  it('throws at once if the keys are wrong', async () => {
    const rejected = new RelayError('invalid_client', 'No.')
    const waiting = waitUntilFinal(createRelay(rejected), newMessage, {
      clock,
      signal,
      interval: 0,
    })
    const { id } = newMessage
    await expect(waiting).rejects.toMatchObject({ code: 'invalid_client', fields: { id } })
  })

  it('throws timed_out with the id and the last status', async () => {
    const options = { clock, signal, interval: 60_000, timeout: 1 }
    await expect(waitUntilFinal(createRelay(), newMessage, options)).rejects.toMatchObject({
      code: 'timed_out',
      fields: { id: newMessage.id },
      message: expect.stringMatching(/m1 .*0\.001 s.* N\b/),
    })
  })

  it('throws the reason of the abort signal', async () => {
    const stop = new AbortController()
    const waiting = waitUntilFinal(createRelay(), newMessage, {
      clock,
      signal: stop.signal,
      interval: 60_000,
    })
    const reason = new Error('enough')
    stop.abort(reason)
    await expect(waiting).rejects.toBe(reason)
  })
})

const newMessage: MessageFields = {
  ...{ id: 'm1', destination: '5551212', message: 'hi', status: 'N', source: 'api' },
  ...{ created_on: '2030-01-01 00:00:00', send_on: '2030-01-01 00:00:00' },
  ...{ status_date: '2030-01-01 00:00:00', failure_count: 0 },
}

/** Each request gets the next of these answers. */
function createRelay(...answers: (Status | RelayError)[]) {
  const get = async (): Promise<MessageFields> => {
    const answer = answers.shift()
    if (answer === undefined) throw new Error('Unexpected request.')
    if (typeof answer !== 'string') throw answer
    return { ...newMessage, status: answer }
  }
  return { messages: { get } }
}

/** A message with a status and a delivery state, such as `S pending`. */
function toMessage(text: string): MessageFields {
  const [status = 'N', state] = text.split(' ') as [Status, DeliveryState?]
  const rest = { at: '2026-01-01 00:00:00', parts: 1, delivered: 0 }
  return { ...newMessage, status, ...(state === undefined ? {} : { delivery: { state, ...rest } }) }
}
