import { expect, test } from 'vitest'
import {
  block,
  createMessage,
  fail,
  failTimes,
  freshNumber,
  listenFor,
  messageIn,
  subscribe,
  succeed,
} from '../acts.js'
import { useCallers } from '../calls.js'
import { getMessageId, openReceiver } from '../receiver.js'

const at = useCallers()

const getStatTriggered = async (id: string) =>
  (await at.api.get(`/subscription/${id}`)).body.subscription.stat_triggered

test('6 message.create fires when a message is added', async () => {
  const listener = await listenFor(at.api, 'message.create')
  const { id } = await createMessage(at.api)
  expect(getMessageId(await listener.next())).toBe(id)
})

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

test('6 message.sent fires once when a message is sent', async () => {
  const listener = await listenFor(at.api, 'message.sent')
  const [first, second] = [await createMessage(at.api), await createMessage(at.api)]
  await succeed(at.api, first.id)
  await succeed(at.api, first.id)
  await succeed(at.api, second.id)
  expect([getMessageId(await listener.next()), getMessageId(await listener.next())]).toEqual([
    first.id,
    second.id,
  ])
})

test('6 message.failed fires once, at the fifth failure', async () => {
  const listener = await listenFor(at.api, 'message.failed')
  const [first, second] = [await createMessage(at.api), await createMessage(at.api)]
  await failTimes(at.api, first.id, 4)
  await failTimes(at.api, second.id, 5)
  expect(getMessageId(await listener.next())).toBe(second.id)
  await failTimes(at.api, first.id, 1)
  expect((await fail(at.api, first.id)).status).toBe(409)
  expect(getMessageId(await listener.next())).toBe(first.id)
  const last = await messageIn(at.api, 'F')
  expect(getMessageId(await listener.next())).toBe(last)
})

test('6 message.blocked fires when the Do Not Text list blocks a message', async () => {
  const listener = await listenFor(at.api, 'message.blocked')
  await createMessage(at.api)
  const id = await messageIn(at.api, 'B')
  expect(getMessageId(await listener.next())).toBe(id)
})

test('6 message.blocked fires for a message that is blocked while it waits', async () => {
  const listener = await listenFor(at.api, 'message.blocked')
  const destination = freshNumber()
  const { id } = await createMessage(at.api, { destination })
  await block(at.api, destination)
  expect(getMessageId(await listener.next())).toBe(id)
})

test('6.1 an event from before the subscription is not delivered to it', async () => {
  await createMessage(at.api)
  const listener = await listenFor(at.api, 'message.create')
  const { id } = await createMessage(at.api)
  expect(getMessageId(await listener.next())).toBe(id)
})

test('6.1 webhooks are sent in the order of their events', async () => {
  const listener = await listenFor(at.api, 'message.sent')
  const made: string[] = []
  for (let n = 0; n < 6; n += 1) made.push((await createMessage(at.api)).id)
  const sent = made.toReversed()
  for (const id of sent) await succeed(at.api, id)
  const heard: string[] = []
  for (let n = 0; n < 6; n += 1) heard.push(getMessageId(await listener.next()))
  expect(heard).toEqual(sent)
})

test('6.1 two subscriptions to one event both get a webhook', async () => {
  const [first, second] = [
    await listenFor(at.api, 'message.create'),
    await listenFor(at.api, 'message.create'),
  ]
  const { id } = await createMessage(at.api)
  expect([getMessageId(await first.next()), getMessageId(await second.next())]).toEqual([id, id])
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

test('6.6 the message of a webhook can be fetched at once', async () => {
  const listener = await listenFor(at.api, 'message.create')
  const made = await createMessage(at.api)
  const { body } = await at.api.get(`/message/${getMessageId(await listener.next())}`)
  expect(body.message).toEqual(made)
})

test('6.7 stat_triggered counts the webhooks', async () => {
  const listener = await listenFor(at.api, 'message.create')
  expect(await getStatTriggered(listener.subscription.id)).toBe(0)
  for (const count of [1, 2, 3]) {
    await createMessage(at.api)
    await listener.next()
    await expect.poll(() => getStatTriggered(listener.subscription.id)).toBe(count)
  }
})

test.each([404, 500])(
  '6.8 a webhook answered %i is retried before later ones',
  { timeout: 150_000 },
  async status => {
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
  },
)

test('6.8 a redirect is a failure and is not followed', { timeout: 150_000 }, async () => {
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
