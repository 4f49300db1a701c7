import { beforeEach, expect, test } from 'vitest'
import {
  claim,
  createDue,
  createMessage,
  drain,
  freshText,
  listenFor,
  read,
  succeed,
} from '../acts.js'
import { signInCaller, useCallers } from '../calls.js'
import { getMessageId } from '../receiver.js'

const at = useCallers()

beforeEach(() => drain(at.phone))

test('1 a message goes from POST through NEXT to a success report', async () => {
  const { id } = await createDue(at.api)
  expect((await claim(at.phone)).id).toBe(id)
  expect((await succeed(at.phone, id)).status).toBe(200)
  expect((await read(at.api, id)).status).toBe('S')
})

test('1 a failure report keeps the message for a retry', async () => {
  const { id } = await createDue(at.api)
  expect((await claim(at.phone)).id).toBe(id)
  const report = { error_message: 'no signal' }
  expect((await at.phone.put(`/message/${id}/failure`, report)).status).toBe(200)
  expect(await read(at.api, id)).toMatchObject({ status: 'E', failure_count: 1 })
})

test('1 a bearer token from /oauth opens the REST interface', async () => {
  const caller = await signInCaller(at.baseUrl, at.owner.secret_key, at.owner.api_key)
  expect((await caller.get('/message')).status).toBe(200)
})

test.each(['+12125551212', '5551212', '+12125551213', '5551213'])(
  '1 the test number %s is accepted as a destination',
  async destination => {
    const message = await createMessage(at.api, { destination })
    expect(message).toMatchObject({ destination, status: 'N' })
  },
)

test('1 a subscription sees every event once and in order', async () => {
  const listener = await listenFor(at.api, 'message.create')
  const made: string[] = []
  for (let n = 0; n < 5; n += 1) made.push((await createMessage(at.api)).id)
  const heard: string[] = []
  for (let n = 0; n < 5; n += 1) heard.push(getMessageId(await listener.next()))
  expect(heard).toEqual(made)
})

test('1 subscriptions get the intermediate status that a poll misses', async () => {
  const created = await listenFor(at.api, 'message.create')
  const sent = await listenFor(at.api, 'message.sent')
  const { id } = await createMessage(at.api)
  await succeed(at.api, id)
  expect((await read(at.api, id)).status).toBe('S')
  expect(getMessageId(await created.next())).toBe(id)
  expect(getMessageId(await sent.next())).toBe(id)
})

test('1 a webhook is sent within two minutes of its event', { timeout: 130_000 }, async () => {
  const listener = await listenFor(at.api, 'message.create')
  const { id } = await createMessage(at.api)
  const start = performance.now()
  expect(getMessageId(await listener.next())).toBe(id)
  expect(performance.now() - start).toBeLessThan(120_000)
})

test('1 the four resources are message, subscription, user and access token', async () => {
  const message = await createMessage(at.api, { message: freshText() })
  const { subscription } = await listenFor(at.api, 'message.failed')
  const user = await at.api.get('/user')
  expect([message.id, subscription.id, user.body.user.email, at.api.token]).toEqual(
    Array(4).fill(expect.stringMatching(/./)),
  )
})
