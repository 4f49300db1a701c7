import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { createMessage, drain, read, succeed } from '../../acts.js'
import { type Caller, useCallers } from '../../calls.js'
import { createMany, nextBatch, report } from './batch-rig.js'

const at = useCallers()

beforeEach(async () => {
  await drain(at.phone)
  await drain(at.secondPhone)
})

test('extension: one request reports outcomes, with an answer each', async () => {
  const ids = await createMany(at.api, 4)
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
  const [first, second, third] = await createMany(at.api, 3)
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
  const [id] = await createMany(at.api, 1)
  const outcomes = [{ id, error: 'busy', idempotency_key: randomUUID() }]
  const first = await report(at.phone, outcomes)
  expect(await report(at.phone, outcomes)).toEqual(first)
  expect((await read(at.api, id ?? '')).failure_count).toBe(1)
})

test('extension: a failure repeated after that of another phone counts once', async () => {
  const [id] = await createMany(at.api, 1)
  const fail = (phone: Caller, key: string) =>
    report(phone, [{ id, error: 'busy', idempotency_key: key }])
  const [first, second] = [randomUUID(), randomUUID()]
  await fail(at.phone, first)
  await fail(at.secondPhone, second)
  await fail(at.phone, first)
  await fail(at.secondPhone, second)
  expect((await read(at.api, id ?? '')).failure_count).toBe(2)
})

test('extension: the messages of another account are not reported in a batch', async () => {
  const { id } = await createMessage(at.api)
  const [result] = await report(at.strangerPhone, [{ id, parts: 1 }])
  expect([result?.status, result?.error]).toEqual([404, 'not_a_message'])
})
