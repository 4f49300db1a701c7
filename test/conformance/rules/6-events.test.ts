import { expect, test } from 'vitest'
import { createMessage, listenFor, messageIn, subscribe } from '../acts.js'
import { useCallers } from '../calls.js'
import { getMessageId, openReceiver } from '../receiver.js'

const at = useCallers()

const getStatTriggered = async (id: string) =>
  (await at.api.get(`/subscription/${id}`)).body.subscription.stat_triggered

test('6 message.create fires for a message that is blocked at once', async () => {
  const listener = await listenFor(at.api, 'message.create')
  const id = await messageIn(at.api, 'B')
  expect(getMessageId(await listener.next())).toBe(id)
})

test('6 message.create does not fire for a rejected request', async () => {
  const listener = await listenFor(at.api, 'message.create')
  expect((await at.api.post('/message', { message: { destination: 'abc' } })).status).toBe(400)
  const { id } = await createMessage(at.api)
  expect(getMessageId(await listener.next())).toBe(id)
})

test('6.1 an event from before the subscription is not delivered to it', async () => {
  await createMessage(at.api)
  const listener = await listenFor(at.api, 'message.create')
  const { id } = await createMessage(at.api)
  expect(getMessageId(await listener.next())).toBe(id)
})

test('6.1 a receiver that does not answer delays no other receiver', async () => {
  await subscribe(at.api, { event: 'message.create', url: 'http://127.0.0.1:9/nobody', post: true })
  const listener = await listenFor(at.api, 'message.create')
  const [first, second] = [await createMessage(at.api), await createMessage(at.api)]
  expect([getMessageId(await listener.next()), getMessageId(await listener.next())]).toEqual([
    first.id,
    second.id,
  ])
})

test.each([404, 500])('6.8 a webhook answered %i is retried before later ones', async status => {
  const receiver = await openReceiver((_, nth) => ({ status: nth === 1 ? status : 200 }))
  const { id } = await subscribe(at.api, {
    event: 'message.create',
    url: receiver.url,
    post: true,
  })
  const [first, second] = [await createMessage(at.api), await createMessage(at.api)]
  const heard = [await receiver.next(), await receiver.next(), await receiver.next()].map(
    getMessageId,
  )
  expect(heard).toEqual([first.id, first.id, second.id])
  await expect.poll(() => getStatTriggered(id)).toBe(2)
})

test('6.8 a redirect is a failure and is not followed', async () => {
  const receiver = await openReceiver((_, nth) =>
    nth === 1 ? { status: 302, headers: ['Location: /elsewhere'] } : { status: 200 },
  )
  const url = `${receiver.url}/hook`
  await subscribe(at.api, { event: 'message.create', url, post: true })
  const { id } = await createMessage(at.api)
  const webhooks = [await receiver.next(), await receiver.next()]
  expect(webhooks.map(webhook => [webhook.target, getMessageId(webhook)])).toEqual([
    ['/hook', id],
    ['/hook', id],
  ])
})

test.each([200, 201, 202, 204, 299])('6.8 a webhook answered %i is not retried', async status => {
  const receiver = await openReceiver(() => ({ status }))
  await subscribe(at.api, { event: 'message.create', url: receiver.url, post: true })
  const [first, second] = [await createMessage(at.api), await createMessage(at.api)]
  const heard = [await receiver.next(), await receiver.next()].map(getMessageId)
  expect(heard).toEqual([first.id, second.id])
})
