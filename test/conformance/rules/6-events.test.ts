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
import { messageOf, openReceiver } from '../receiver.js'

const at = useCallers()

const statOf = async (id: string) =>
  (await at.api.get(`/subscription/${id}`)).body.subscription.stat_triggered

test('6 message.create fires when a message is added', async () => {
  const ear = await listenFor(at.api, 'message.create')
  const { id } = await createMessage(at.api)
  expect(messageOf(await ear.next())).toBe(id)
})

test('6 message.create fires for a message that is blocked at once, too', async () => {
  const ear = await listenFor(at.api, 'message.create')
  const id = await messageIn(at.api, 'B')
  expect(messageOf(await ear.next())).toBe(id)
})

test('6 message.create does not fire for a request that was refused', async () => {
  const ear = await listenFor(at.api, 'message.create')
  expect((await at.api.post('/message', { message: { destination: 'abc' } })).status).toBe(400)
  const { id } = await createMessage(at.api)
  expect(messageOf(await ear.next())).toBe(id)
})

test('6 message.sent fires once when a message is sent', async () => {
  const ear = await listenFor(at.api, 'message.sent')
  const [first, second] = [await createMessage(at.api), await createMessage(at.api)]
  await succeed(at.api, first.id)
  await succeed(at.api, first.id)
  await succeed(at.api, second.id)
  expect([messageOf(await ear.next()), messageOf(await ear.next())]).toEqual([first.id, second.id])
})

test('6 message.failed fires once, at the fifth failure and not before', async () => {
  const ear = await listenFor(at.api, 'message.failed')
  const [first, second] = [await createMessage(at.api), await createMessage(at.api)]
  await failTimes(at.api, first.id, 4)
  await failTimes(at.api, second.id, 5)
  expect(messageOf(await ear.next())).toBe(second.id)
  await failTimes(at.api, first.id, 1)
  expect((await fail(at.api, first.id)).status).toBe(409)
  expect(messageOf(await ear.next())).toBe(first.id)
  const last = await messageIn(at.api, 'F')
  expect(messageOf(await ear.next())).toBe(last)
})

test('6 message.blocked fires when a message is blocked by the Do Not Text List', async () => {
  const ear = await listenFor(at.api, 'message.blocked')
  await createMessage(at.api)
  const id = await messageIn(at.api, 'B')
  expect(messageOf(await ear.next())).toBe(id)
})

test('6 message.blocked fires for a message that is blocked while it waits', async () => {
  const ear = await listenFor(at.api, 'message.blocked')
  const destination = freshNumber()
  const { id } = await createMessage(at.api, { destination })
  await block(at.api, destination)
  expect(messageOf(await ear.next())).toBe(id)
})

test('6.1 an event from before the subscription is not delivered to it', async () => {
  await createMessage(at.api)
  const ear = await listenFor(at.api, 'message.create')
  const { id } = await createMessage(at.api)
  expect(messageOf(await ear.next())).toBe(id)
})

test('6.1 hits come in the order of their events', async () => {
  const ear = await listenFor(at.api, 'message.sent')
  const made: string[] = []
  for (let n = 0; n < 6; n += 1) made.push((await createMessage(at.api)).id)
  const sent = made.toReversed()
  for (const id of sent) await succeed(at.api, id)
  const heard: string[] = []
  for (let n = 0; n < 6; n += 1) heard.push(messageOf(await ear.next()))
  expect(heard).toEqual(sent)
})

test('6.1 two subscriptions to one event are both called', async () => {
  const [first, second] = [
    await listenFor(at.api, 'message.create'),
    await listenFor(at.api, 'message.create'),
  ]
  const { id } = await createMessage(at.api)
  expect([messageOf(await first.next()), messageOf(await second.next())]).toEqual([id, id])
})

test('6.1 a receiver that does not answer holds up no other receiver', async () => {
  await subscribe(at.api, { event: 'message.create', url: 'http://127.0.0.1:9/nobody', post: true })
  const ear = await listenFor(at.api, 'message.create')
  const [first, second] = [await createMessage(at.api), await createMessage(at.api)]
  expect([messageOf(await ear.next()), messageOf(await ear.next())]).toEqual([first.id, second.id])
})

test('6.6 the message a hit names can be fetched by then', async () => {
  const ear = await listenFor(at.api, 'message.create')
  const made = await createMessage(at.api)
  const { body } = await at.api.get(`/message/${messageOf(await ear.next())}`)
  expect(body.message).toEqual(made)
})

test('6.7 stat_triggered counts the hits', async () => {
  const ear = await listenFor(at.api, 'message.create')
  expect(await statOf(ear.subscription.id)).toBe(0)
  for (const count of [1, 2, 3]) {
    await createMessage(at.api)
    await ear.next()
    await expect.poll(() => statOf(ear.subscription.id)).toBe(count)
  }
})

test.each([404, 500])(
  '6.8 a hit answered %i is made again, before later ones',
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
      messageOf,
    )
    expect(heard).toEqual([first.id, first.id, second.id])
    await expect.poll(() => statOf(id)).toBe(2)
  },
)

test('6.8 a redirect is no success and is not followed', { timeout: 150_000 }, async () => {
  const receiver = await openReceiver((_, nth) =>
    nth === 1 ? { status: 302, headers: ['Location: /elsewhere'] } : { status: 200 },
  )
  const url = `${receiver.url}/hook`
  await subscribe(at.api, { event: 'message.create', url, post: true })
  const { id } = await createMessage(at.api)
  const hits = [await receiver.next(), await receiver.next()]
  expect(hits.map(hit => [hit.target, messageOf(hit)])).toEqual([
    ['/hook', id],
    ['/hook', id],
  ])
})

test.each([200, 201, 202, 204, 299])('6.8 a hit answered %i is not made again', async status => {
  const receiver = await openReceiver(() => ({ status }))
  await subscribe(at.api, { event: 'message.create', url: receiver.url, post: true })
  const [first, second] = [await createMessage(at.api), await createMessage(at.api)]
  const heard = [await receiver.next(), await receiver.next()].map(messageOf)
  expect(heard).toEqual([first.id, second.id])
})
