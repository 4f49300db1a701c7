import { beforeEach, expect, test } from 'vitest'
import { drain } from '../../acts.js'
import { expectError, useCallers } from '../../calls.js'
import { askBatch, createMany, nextBatch } from './batch-rig.js'

const at = useCallers()

beforeEach(async () => {
  await drain(at.phone)
  await drain(at.secondPhone)
})

test('extension: batches give messages in due order, a full one and the rest', async () => {
  const ids = await createMany(at.api, 5)
  const first = await nextBatch(at.phone, 'batch=3')
  const second = await nextBatch(at.phone, `batch=3, since=${first.claim}`)
  expect([first.ids, second.ids]).toEqual([ids.slice(0, 3), ids.slice(3)])
  expect(second.claim).toBeGreaterThan(first.claim)
  expectError(await askBatch(at.phone, `batch=3, since=${second.claim}`), 404, 'not_a_message')
})

test('extension: a batch says how long the phone holds its messages', async () => {
  await createMany(at.api, 1)
  expect((await nextBatch(at.phone, 'batch=1')).lease).toBeGreaterThan(0)
})

test('extension: a batch whose reply was lost is given again', async () => {
  const ids = await createMany(at.api, 4)
  const lost = await nextBatch(at.phone, 'batch=2')
  expect((await nextBatch(at.phone, 'batch=3')).ids).toEqual(ids.slice(0, 3))
  expect((await nextBatch(at.phone, `batch=9, since=${lost.claim}`)).ids).toEqual(ids.slice(2))
})

test('extension: a phone that starts again gets all that it holds', async () => {
  const ids = await createMany(at.api, 5)
  await nextBatch(at.phone, 'batch=5')
  const first = await nextBatch(at.phone, 'batch=2')
  const second = await nextBatch(at.phone, `batch=2, since=${first.claim}`)
  const third = await nextBatch(at.phone, `batch=2, since=${second.claim}`)
  expect([...first.ids, ...second.ids, ...third.ids]).toEqual(ids)
})

test('extension: a batch also gives a message that NEXT gave before', async () => {
  const [id] = await createMany(at.api, 1)
  await at.phone.next()
  expect((await nextBatch(at.phone, 'batch=2, since=9')).ids).toEqual([id])
})

test('extension: another phone gets no message of a batch', async () => {
  const ids = await createMany(at.api, 3)
  await nextBatch(at.phone, 'batch=2')
  expect((await nextBatch(at.secondPhone, 'batch=2')).ids).toEqual(ids.slice(2))
})

test.each(['edit', 'unlock', 'undelete'])(
  'extension: a message that a phone holds is given again after %s',
  async act => {
    const [id = ''] = await createMany(at.api, 1)
    const { claim } = await nextBatch(at.phone, 'batch=2')
    const path = `/message/${id}`
    if (act === 'edit') await at.api.patch(path, { message: { message: 'new' } })
    else if (act === 'unlock') await at.api.put(`${path}/lock`, {})
    else await at.api.delete(path)
    if (act !== 'edit') await at.api.put(`${path}/${act}`, {})
    const again = await nextBatch(at.phone, `batch=2, since=${claim}`)
    expect(again.ids).toEqual([id])
    expect(again.claim).toBeGreaterThan(claim)
  },
)

test.each([
  ['batch=2', 'batch=2'],
  ['batch=5000', 'batch=1000'],
  ['wait=1, batch=2, since=0', 'wait=1, batch=2, since=0'],
  ['batch="2"; since=x', 'batch=2'],
])('extension: of the preference %s the relay applies %s', async (prefer, applied) => {
  await createMany(at.api, 1)
  expect((await nextBatch(at.phone, prefer)).applied).toBe(applied)
})

test.each(['batch=0', 'batch=-1', 'batch=x', 'batch', 'since=3'])(
  'extension: NEXT with the preference %s gives one message',
  async prefer => {
    const [id] = await createMany(at.api, 1)
    const { body, text } = await askBatch(at.phone, prefer)
    expect(body.message.id, text).toBe(id)
  },
)

test('extension: a batch waits for a message to become due', async () => {
  const waiting = nextBatch(at.phone, 'batch=5, wait=30')
  const [id] = await createMany(at.api, 1)
  expect((await waiting).ids).toEqual([id])
})

test('extension: a batch is only for tokens of the application key', async () => {
  expectError(await askBatch(at.api, 'batch=2'), 403, 'insufficient_scope')
})
