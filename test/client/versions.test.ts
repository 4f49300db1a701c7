import { expect, it } from 'vitest'
import { RelayClient } from '../../src/client/relay-client.js'
import type { RelayReply, RelayRequest } from '../../src/client/request-sender.js'
import { message } from '../phone/scripted-client.js'

/** A client whose requests get one reply; `requests` are those that it sent. */
function openClient(reply: RelayReply) {
  const requests: RelayRequest[] = []
  const client = new RelayClient({
    url: 'http://relay',
    credentials: { token: 'token' },
    request: async request => {
      requests.push(request)
      return reply
    },
  })
  return { client, requests }
}

const text = JSON.stringify({ message: message('a') })

it('a message has the tag of its reply, or none of a relay without versions', async () => {
  const { client } = openClient({ status: 200, text, tag: '"v1"' })
  expect(await client.messages.getTagged('a')).toMatchObject({ resource: { id: 'a' }, tag: '"v1"' })
  const old = openClient({ status: 200, text })
  expect((await old.client.messages.getTagged('a')).tag).toBeUndefined()
})

it('a change names the version that it expects, and only if it is given', async () => {
  const { client, requests } = openClient({ status: 200, text })
  await client.messages.edit('a', { message: 'x' }, { ifMatch: '"v1"' })
  await client.messages.delete('a', { ifMatch: '"v2"' })
  await client.messages.edit('a', { message: 'x' })
  const sent = requests.map(({ method, headers }) => [method, headers['if-match']])
  expect(sent).toEqual([
    ['PATCH', '"v1"'],
    ['DELETE', '"v2"'],
    ['PATCH', undefined],
  ])
})

it('another version is an error with its code', async () => {
  const error = { error: 'precondition_failed', error_description: 'Another version.' }
  const { client } = openClient({ status: 412, text: JSON.stringify(error) })
  const edit = client.messages.edit('a', { message: 'x' }, { ifMatch: '"v1"' })
  await expect(edit).rejects.toMatchObject({ code: 'precondition_failed' })
})
