import { expect, test } from 'vitest'
import { form } from '../../conformance/calls.js'
import { draft, runRelay } from '../running-relay.js'

test('links have the scheme that a trusted proxy names', async () => {
  const getLink = async (trustProxy: boolean): Promise<string | undefined> => {
    const { api } = await runRelay({ trustProxy })
    const headers = { 'x-forwarded-proto': 'https' }
    const reply = await api.call('POST', '/message', { headers, body: form({ message: draft }) })
    return reply.body.links.get?.url
  }
  expect(await getLink(true)).toMatch(/^https:\/\/127\.0\.0\.1:/)
  expect(await getLink(false)).toMatch(/^http:\/\/127\.0\.0\.1:/)
})
