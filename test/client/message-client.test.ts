import { expect, it } from 'vitest'
import { RelayClient } from '../../src/client/relay-client.js'
import { message } from '../phone/scripted-client.js'

const batch = (claim: number) => ({
  status: 200,
  body: { messages: [{ message: message('a') }], claim, lease: 120 },
})
const ended = { status: 401, body: { error: 'invalid_token', error_description: 'ended' } }
const busy = { status: 503, body: { error: 'unavailable', error_description: 'busy' } }
const none = { status: 404, body: { error: 'not_a_message', error_description: 'none' } }

/** Asks for batches with replies in turn; returns the `since` of each request. */
async function askInTurn(replies: readonly { status: number; body: object }[]): Promise<string[]> {
  const rest = [...replies]
  const asked: string[] = []
  const client = new RelayClient({
    url: 'http://relay',
    credentials: { user: 'user', password: 'key' },
    token: 'first',
    request: async ({ url, headers }) => {
      if (url.endsWith('/oauth')) {
        const token = { access_token: 'next', token_type: 'Bearer', expires_in: 9, scope: '/' }
        return { status: 200, text: JSON.stringify(token), retryAfter: undefined }
      }
      asked.push(/since=(\d+)/.exec(headers.prefer ?? '')?.[1] ?? '')
      const { status, body } = rest.shift() ?? none
      return { status, text: JSON.stringify(body), retryAfter: undefined }
    },
  })
  for (let since = 7; rest.length > 0; ) {
    const reply = await client.messages.nextBatch({ batch: 9, since }).catch(() => undefined)
    since = reply?.claim ?? since
  }
  return asked
}

it('a batch names the last claim of the same token', async () => {
  expect(await askInTurn([batch(8), none, busy, batch(9), batch(10)])).toEqual([
    '7',
    '8',
    '8',
    '8',
    '9',
  ])
})

it('the first batches of a new token name no claim until one was received', async () => {
  expect(await askInTurn([ended, busy, none, batch(2), batch(3)])).toEqual([
    '7',
    '0',
    '0',
    '0',
    '2',
  ])
})
