import { describe, expect, it } from 'vitest'
import { waitUntilFinal } from '../../../src/cli/message/wait-for-message.js'
import type { MessageFields } from '../../../src/contract/message-schema.js'
import type { Status } from '../../../src/domain/message/message.js'
import { RelayError } from '../../../src/errors.js'

const { signal } = new AbortController()

describe('waitUntilFinal', () => {
  it('looks no further at a message that is final', async () => {
    const message = { ...fresh, status: 'B' } as const
    expect(await waitUntilFinal(relay(), message, { signal })).toBe(message)
  })

  it.each(['S', 'F', 'B', 'D'] as const)('ends with %s', async status => {
    const final = await waitUntilFinal(relay('N', 'E', 'L', status), fresh, { signal, interval: 0 })
    expect(final.status).toBe(status)
  })

  it('takes a message that is gone for deleted', async () => {
    const gone = relay('N', new RelayError('not_a_message', 'It is gone.'))
    expect((await waitUntilFinal(gone, fresh, { signal, interval: 0 })).status).toBe('D')
  })

  it('outlives a relay that is away for a while', async () => {
    const away = new RelayError('unreachable', 'It is away.')
    const client = relay(away, away, 'N', away, away, 'S')
    const options = { signal, interval: 0, maxFailures: 2 }
    expect((await waitUntilFinal(client, fresh, options)).status).toBe('S')
  })

  it('gives a relay up that stays away', async () => {
    const away = new RelayError('unreachable', 'It is away.')
    const waiting = waitUntilFinal(relay(away, away), fresh, {
      signal,
      interval: 0,
      maxFailures: 1,
    })
    await expect(waiting).rejects.toBe(away)
  })

  it('ends at once where the keys end', async () => {
    const refused = new RelayError('invalid_client', 'No.')
    const waiting = waitUntilFinal(relay(refused), fresh, { signal, interval: 0 })
    await expect(waiting).rejects.toBe(refused)
  })

  it('tells the id and the last status when the time is over', async () => {
    const options = { signal, interval: 60_000, timeout: 1 }
    await expect(waitUntilFinal(relay(), fresh, options)).rejects.toMatchObject({
      code: 'timed_out',
      message: 'Message m1 was not final after 0.001 s; its status is N.',
    })
  })

  it('ends with the reason of whoever stops it', async () => {
    const stop = new AbortController()
    const waiting = waitUntilFinal(relay(), fresh, { signal: stop.signal, interval: 60_000 })
    const reason = new Error('enough')
    stop.abort(reason)
    await expect(waiting).rejects.toBe(reason)
  })
})

const fresh: MessageFields = {
  ...{ id: 'm1', destination: '5551212', message: 'hi', status: 'N', source: 'api' },
  ...{ created_on: '2030-01-01 00:00:00', send_on: '2030-01-01 00:00:00' },
  ...{ status_date: '2030-01-01 00:00:00', failure_count: 0 },
}

/** A relay that answers each look with the next of these. */
function relay(...answers: (Status | RelayError)[]) {
  const get = async (): Promise<MessageFields> => {
    const answer = answers.shift()
    if (answer === undefined) throw new Error('It was asked too often.')
    if (typeof answer !== 'string') throw answer
    return { ...fresh, status: answer }
  }
  return { messages: { get } }
}
