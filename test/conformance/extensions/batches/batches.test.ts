import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { createDue, createMessage, draft, drain, read, succeed } from '../../acts.js'
import { type Caller, expectError, type Fields, json, type Reply, useCallers } from '../../calls.js'

const at = useCallers()

interface Result {
  id?: string
  status: number
  message?: { id: string; status: string }
  error?: string
  error_description?: string
}

beforeEach(async () => {
  await drain(at.phone)
  await drain(at.secondPhone)
})

const askBatch = (phone: Caller, prefer: string): Promise<Reply> =>
  phone.next({ headers: { prefer } })

async function nextBatch(
  phone: Caller,
  prefer: string,
): Promise<{ ids: string[]; claim: number; applied: string | null }> {
  const reply = await askBatch(phone, prefer)
  expect(reply.status, reply.text).toBe(200)
  const { messages, claim } = JSON.parse(reply.text)
  const ids = messages.map((each: { message: { id: string } }) => each.message.id)
  return { ids, claim, applied: reply.headers.get('preference-applied') }
}

async function createMany(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) ids.push((await createDue(at.api)).id)
  return ids
}

const postBatch = (caller: Caller, path: string, items: unknown): Promise<Reply> =>
  caller.call('POST', path, json(items))

async function readResults(reply: Promise<Reply>): Promise<Result[]> {
  const { status, text } = await reply
  expect(status, text).toBe(200)
  return JSON.parse(text).results
}

const report = (caller: Caller, outcomes: Fields[]): Promise<Result[]> =>
  readResults(postBatch(caller, '/message/report', outcomes))

test('extension: batches give messages in due order, a full one and the rest', async () => {
  const ids = await createMany(5)
  const first = await nextBatch(at.phone, 'batch=3')
  const second = await nextBatch(at.phone, `batch=3, since=${first.claim}`)
  expect([first.ids, second.ids]).toEqual([ids.slice(0, 3), ids.slice(3)])
  expect(second.claim).toBeGreaterThan(first.claim)
  expectError(await askBatch(at.phone, `batch=3, since=${second.claim}`), 404, 'not_a_message')
})

test('extension: a batch whose reply was lost is given again', async () => {
  const ids = await createMany(4)
  const lost = await nextBatch(at.phone, 'batch=2')
  expect((await nextBatch(at.phone, 'batch=3')).ids).toEqual(ids.slice(0, 3))
  expect((await nextBatch(at.phone, `batch=9, since=${lost.claim}`)).ids).toEqual(ids.slice(2))
})

test('extension: a phone that starts again gets all that it holds', async () => {
  const ids = await createMany(5)
  await nextBatch(at.phone, 'batch=5')
  const first = await nextBatch(at.phone, 'batch=2')
  const second = await nextBatch(at.phone, `batch=2, since=${first.claim}`)
  const third = await nextBatch(at.phone, `batch=2, since=${second.claim}`)
  expect([...first.ids, ...second.ids, ...third.ids]).toEqual(ids)
})

test('extension: a batch also gives a message that NEXT gave before', async () => {
  const [id] = await createMany(1)
  await at.phone.next()
  expect((await nextBatch(at.phone, 'batch=2, since=9')).ids).toEqual([id])
})

test('extension: another phone gets no message of a batch', async () => {
  const ids = await createMany(3)
  await nextBatch(at.phone, 'batch=2')
  expect((await nextBatch(at.secondPhone, 'batch=2')).ids).toEqual(ids.slice(2))
})

test.each([
  ['batch=2', 'batch=2'],
  ['batch=5000', 'batch=1000'],
  ['wait=1, batch=2, since=0', 'wait=1, batch=2, since=0'],
  ['batch="2"; since=x', 'batch=2'],
])('extension: of `Prefer: %s` the relay applies %s', async (prefer, applied) => {
  await createMany(1)
  expect((await nextBatch(at.phone, prefer)).applied).toBe(applied)
})

test.each(['batch=0', 'batch=-1', 'batch=x', 'batch', 'since=3'])(
  'extension: NEXT with `Prefer: %s` gives one message',
  async prefer => {
    const [id] = await createMany(1)
    const { body, text } = await askBatch(at.phone, prefer)
    expect(body.message.id, text).toBe(id)
  },
)

test('extension: a batch waits for a message to become due', async () => {
  const waiting = nextBatch(at.phone, 'batch=5, wait=30')
  const [id] = await createMany(1)
  expect((await waiting).ids).toEqual([id])
})

test('extension: a batch is only for tokens of the application key', async () => {
  expectError(await askBatch(at.api, 'batch=2'), 403, 'insufficient_scope')
})

test('extension: one request reports outcomes, with an answer each', async () => {
  const ids = await createMany(4)
  await nextBatch(at.phone, 'batch=4')
  const results = await report(at.phone, [
    { id: ids[0], parts: 2 },
    { id: ids[1], error: 'busy' },
    { id: ids[2], release: true },
    { id: ids[3], renew: true },
  ])
  expect(results.map(each => [each.id, each.status, each.message?.status])).toEqual([
    [ids[0], 200, 'S'],
    [ids[1], 200, 'E'],
    [ids[2], 200, 'N'],
    [ids[3], 200, 'N'],
  ])
  expect((await nextBatch(at.secondPhone, 'batch=4')).ids).toEqual([ids[2]])
})

test('extension: an invalid outcome does not affect the others', async () => {
  const [first, second, third] = await createMany(3)
  await nextBatch(at.phone, 'batch=3')
  await succeed(at.phone, second ?? '')
  const results = await report(at.phone, [
    { id: first, parts: 1 },
    { id: second, error: 'x' },
    { id: randomUUID(), parts: 1 },
    { id: third, parts: 0 },
    { id: third },
    { id: third, parts: 1, error: 'x' },
    { parts: 1 },
    { id: third, parts: 1 },
  ])
  expect(results.map(each => [each.status, each.error])).toEqual([
    [200, undefined],
    [409, 'invalid_state'],
    [404, 'not_a_message'],
    [400, 'invalid_parameter'],
    [400, 'invalid_request'],
    [400, 'invalid_request'],
    [400, 'invalid_request'],
    [200, undefined],
  ])
  for (const id of [first, third]) expect((await read(at.api, id ?? '')).status).toBe('S')
})

test('extension: a failure with an idempotency key counts once, with the same answer', async () => {
  const [id] = await createMany(1)
  const outcomes = [{ id, error: 'busy', idempotency_key: randomUUID() }]
  const first = await report(at.phone, outcomes)
  expect(await report(at.phone, outcomes)).toEqual(first)
  expect((await read(at.api, id ?? '')).failure_count).toBe(1)
})

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

test('extension: the messages of another account are not reported in a batch', async () => {
  const { id } = await createMessage(at.api)
  const [result] = await report(at.strangerPhone, [{ id, parts: 1 }])
  expect([result?.status, result?.error]).toEqual([404, 'not_a_message'])
})
