import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { draft, read } from '../../acts.js'
import { expectError, json, useCallers } from '../../calls.js'
import { postBatch, readResults } from './batch-rig.js'

const at = useCallers()

test('extension: messages of a batch are created with a result each', async () => {
  const drafts = [draft(), { destination: 'x', message: 'y' }, { destination: '+16465550107' }]
  const [first, second, third] = await readResults(postBatch(at.api, '/message/batch', drafts))
  expect(await read(at.api, first?.message?.id ?? '')).toEqual(first?.message)
  expect([second?.status, second?.error]).toEqual([400, 'invalid_parameter'])
  expect([third?.status, third?.error]).toEqual([400, 'invalid_request'])
})

test('extension: a batch of messages can be one JSON object a line', async () => {
  const drafts = [draft(), draft()]
  const reply = at.api.call('POST', '/message/batch', {
    headers: { 'content-type': 'application/x-ndjson' },
    body: `${drafts.map(each => JSON.stringify(each)).join('\n')}\n`,
  })
  expect((await readResults(reply)).map(({ status }) => status)).toEqual([200, 200])
})

test('extension: a repeated batch of messages gets the first results', async () => {
  const own = [draft({ idempotency_key: randomUUID() }), draft({ idempotency_key: randomUUID() })]
  const first = await readResults(postBatch(at.api, '/message/batch', own))
  expect(await readResults(postBatch(at.api, '/message/batch', own))).toEqual(first)
  const common = { 'idempotency-key': randomUUID() }
  const send = () => {
    const { headers, body } = json([draft({ message: 'a' }), draft({ message: 'b' })])
    return { body, headers: { ...headers, ...common } }
  }
  const extras = send()
  const posted = await readResults(at.api.call('POST', '/message/batch', extras))
  expect(await readResults(at.api.call('POST', '/message/batch', extras))).toEqual(posted)
  const other = await readResults(at.api.call('POST', '/message/batch', send()))
  expect(other.map(({ error }) => error)).toEqual(['invalid_request', 'invalid_request'])
})

test('extension: a minimal reply has the ids of new messages only', async () => {
  const blocked = '+16465550142'
  await at.api.call('POST', '/do-not-text', json({ number: blocked }))
  const { headers, body } = json([draft(), draft({ destination: blocked }), { message: 'y' }])
  const prefer = { ...headers, prefer: 'return=minimal' }
  const reply = await at.api.call('POST', '/message/batch', { headers: prefer, body })
  expect(reply.headers.get('preference-applied')).toBe('return=minimal')
  const [first, second, third] = await readResults(Promise.resolve(reply))
  expect(first).toEqual({ status: 200, id: expect.any(String) })
  expect((await read(at.api, first?.id ?? '')).status).toBe('N')
  expect(second).toMatchObject({ status: 200, message: { status: 'B' } })
  expect(third).toMatchObject({ status: 400, error: 'invalid_request' })
})

test('extension: a phone cannot create a batch of messages', async () => {
  expectError(await postBatch(at.phone, '/message/batch', []), 403, 'insufficient_scope')
})

test.each(['/message/batch', '/message/report'])(
  'extension: %s accepts 1,000 items of 8 MiB together, and no more',
  async path => {
    const items = Array(1000).fill({ padding: 'x'.repeat(8000) })
    expect(await readResults(postBatch(at.api, path, items))).toHaveLength(1000)
    expectError(await postBatch(at.api, path, Array(1001).fill({})), 400, 'invalid_request')
    const large = { padding: 'x'.repeat(8 * 1024 * 1024) }
    expectError(await postBatch(at.api, path, [large]), 413, 'payload_too_large')
    expectError(await postBatch(at.api, path, { a: 1 }), 400, 'invalid_request')
  },
)
