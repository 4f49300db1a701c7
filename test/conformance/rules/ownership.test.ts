import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { block, createMessage, draft, freshNumber, messageIn, read, subscribe } from '../acts.js'
import { expectError, form, omitRequestId, useCallers } from '../calls.js'

const at = useCallers()

const missing = '01890000-0000-7000-8000-000000000000'
const event = 'message.failed'
const url = 'http://127.0.0.1:9/hook'

test.each<[string, string, object]>([
  ['GET', '', {}],
  ['PATCH', '', { message: { message: 'mine now' } }],
  ['DELETE', '', {}],
  ['PUT', '/success', { parts: 1 }],
  ['PUT', '/failure', { error_message: 'no carrier' }],
  ['PUT', '/release', {}],
  ['PUT', '/lock', {}],
  ['PUT', '/unlock', {}],
])('5.7 %s%s of a message of another account is not_a_message', async (method, tail, fields) => {
  const made = await createMessage(at.api)
  const attempt = (id: string) =>
    at.stranger.call(method, `/message/${id}${tail}`, {
      ...(method !== 'GET' && { body: form({ ...fields }) }),
    })
  const reply = await attempt(made.id)
  expectError(reply, 404, 'not_a_message')
  const other = omitRequestId((await attempt(missing)).text)
  expect(omitRequestId(reply.text.replaceAll(made.id, missing))).toBe(other)
  expect(await read(at.api, made.id)).toEqual(made)
})

test('5.7 undelete of a message of another account is not_a_message', async () => {
  const id = await messageIn(at.api, 'D')
  expectError(await at.stranger.put(`/message/${id}/undelete`, {}), 404, 'not_a_message')
  expectError(await at.api.get(`/message/${id}`), 404, 'not_a_message')
})

test.each(['success', 'failure'])(
  '5.7 a %s report by the phone of another account is not_a_message',
  async report => {
    const { id } = await createMessage(at.api)
    const body = { parts: 1, error_message: 'no carrier' }
    expectError(await at.strangerPhone.put(`/message/${id}/${report}`, body), 404, 'not_a_message')
    expect((await read(at.api, id)).status).toBe('N')
  },
)

test.each(['GET', 'PATCH', 'DELETE'])(
  '5.7 %s of a subscription of another account is not_a_subscription',
  async method => {
    const made = await subscribe(at.api, { event, url })
    const attempt = (id: string) =>
      at.stranger.call(method, `/subscription/${id}`, {
        ...(method === 'PATCH' && { body: form({ event, post: true }) }),
      })
    const reply = await attempt(made.id)
    expectError(reply, 404, 'not_a_subscription')
    const other = omitRequestId((await attempt(missing)).text)
    expect(omitRequestId(reply.text.replaceAll(made.id, missing))).toBe(other)
    expect((await at.api.get(`/subscription/${made.id}`)).body.subscription).toEqual(made)
  },
)

test('5.7 a user sees only the own e-mail and keys', async () => {
  expect((await at.stranger.get('/user')).body.user).toEqual({ email: at.other.email })
  expect((await at.person.get('/user/app')).body.user.app_key).toBe(at.owner.app_key)
})

test('5.7 the Do Not Text list applies only to the own account', async () => {
  const destination = freshNumber()
  await block(at.api, destination)
  expect((await createMessage(at.stranger, { destination })).status).toBe('N')
  const { entries } = (await at.stranger.get('/do-not-text')).body
  expect(entries.map(({ entry }) => entry.number)).not.toContain(destination)
  const path = `/do-not-text/${encodeURIComponent(destination)}`
  expect((await at.stranger.delete(path)).status).toBe(404)
  expect((await createMessage(at.api, { destination })).status).toBe('B')
})

test('5.7 an Idempotency-Key applies only to the own account', async () => {
  const headers = { 'idempotency-key': randomUUID() }
  const message = draft()
  const mine = await at.api.call('POST', '/message', { headers, body: form({ message }) })
  const theirs = await at.stranger.call('POST', '/message', { headers, body: form({ message }) })
  expect([mine.status, theirs.status]).toEqual([200, 200])
  expect(theirs.body.message.id).not.toBe(mine.body.message.id)
  expectError(await at.stranger.get(`/message/${mine.body.message.id}`), 404, 'not_a_message')
})
