import { expect, test } from 'vitest'
import { createDue, createMessage, drain, freshText, messageIn, read, subscribe } from '../acts.js'
import { type Links, request, type Subscription, useCallers } from '../calls.js'

const at = useCallers()

const hook = { event: 'message.failed', url: 'http://127.0.0.1:9/hook' }

function messageLinks(id: string): Links {
  const message = `${at.baseUrl}/api/1/message`
  return {
    list: { method: 'GET', url: message },
    next: { method: 'NEXT', url: message },
    new: { method: 'POST', url: message },
    get: { method: 'GET', url: `${message}/${id}` },
    edit: { method: 'PATCH', url: `${message}/${id}` },
    delete: { method: 'DELETE', url: `${message}/${id}` },
    success: { method: 'PUT', url: `${message}/${id}/success` },
    failure: { method: 'PUT', url: `${message}/${id}/failure` },
  }
}

function subscriptionLinks(id: string): Links {
  const subscription = `${at.baseUrl}/api/1/subscription`
  return {
    events: { method: 'GET', url: `${subscription}/events` },
    list: { method: 'GET', url: subscription },
    new: { method: 'POST', url: subscription },
    get: { method: 'GET', url: `${subscription}/${id}` },
    edit: { method: 'PATCH', url: `${subscription}/${id}` },
    delete: { method: 'DELETE', url: `${subscription}/${id}` },
  }
}

function lasting(links: Links): Links {
  const { edit: _edit, success: _success, failure: _failure, ...rest } = links
  return rest
}

function follow(link: Links[string] | undefined, token: string, body?: URLSearchParams) {
  expect(link).toBeDefined()
  const headers = { authorization: `Bearer ${token}` }
  return request(link?.url ?? '', link?.method ?? '', { headers, ...(body && { body }) })
}

test('2.1 a message reply is the message and its links', async () => {
  const { id } = await createMessage(at.api)
  const reply = await at.api.get(`/message/${id}`)
  expect(Object.keys(reply.body).sort()).toEqual(['links', 'message'])
  expect(reply.body.message.id).toBe(id)
})

test('2.1 a subscription reply is the subscription and its links', async () => {
  const { id } = await subscribe(at.api, hook)
  const reply = await at.api.get(`/subscription/${id}`)
  expect(Object.keys(reply.body).sort()).toEqual(['links', 'subscription'])
  expect(reply.body.subscription.id).toBe(id)
})

test('2.1 a user reply is the user and its links', async () => {
  const reply = await at.api.get('/user')
  expect(Object.keys(reply.body).sort()).toEqual(['links', 'user'])
  expect(reply.body.links).toBeTypeOf('object')
})

test.each(['N', 'E'])('2.1 a message in %s has all eight links, absolute', async letter => {
  const id = await messageIn(at.api, letter)
  expect((await at.api.get(`/message/${id}`)).body.links).toEqual(messageLinks(id))
})

test.each(['S', 'F', 'L', 'B'])(
  '2.1 a message in %s has no edit, success and failure links',
  async letter => {
    const id = await messageIn(at.api, letter)
    expect((await at.api.get(`/message/${id}`)).body.links).toEqual(lasting(messageLinks(id)))
  },
)

test('2.1 the reply to POST of a message has the links of the message', async () => {
  const message = { destination: '+12125551212', message: 'hi', send_on: '2090-01-01 00:00:00' }
  const { body } = await at.api.post('/message', { message })
  expect(body.links).toEqual(messageLinks(body.message.id))
})

test('2.1 NEXT returns the message with its links', async () => {
  await drain(at.phone)
  const { id } = await createDue(at.api)
  const { body } = await at.phone.next()
  expect(body.message.id).toBe(id)
  expect(body.links).toEqual(messageLinks(id))
})

test('2.1 a subscription has all six links, absolute', async () => {
  const { body } = await at.api.post('/subscription', hook)
  expect(body.links).toEqual(subscriptionLinks(body.subscription.id))
  await at.api.delete(`/subscription/${body.subscription.id}`)
})

test('2.1 a list of messages is an array of envelopes under messages', async () => {
  const { id } = await createMessage(at.api)
  const { body } = await at.api.get('/message')
  const envelope = body.messages.find(({ message }) => message.id === id)
  expect(envelope?.links).toEqual(messageLinks(id))
  for (const one of body.messages) expect(Object.keys(one).sort()).toEqual(['links', 'message'])
})

test('2.1 a list of subscriptions is an array of envelopes under subscriptions', async () => {
  const { id } = await subscribe(at.api, hook)
  const { body } = await at.api.get('/subscription')
  const envelope = body.subscriptions.find(({ subscription }) => subscription.id === id)
  expect(envelope?.links).toEqual(subscriptionLinks(id))
})

test('2.1 following the links of a message reads, edits, lists and deletes it', async () => {
  const { id } = await createMessage(at.api)
  const { links } = (await at.api.get(`/message/${id}`)).body
  const text = freshText()
  const edited = new URLSearchParams({ message: JSON.stringify({ message: text }) })
  expect((await follow(links.edit, at.api.token, edited)).status).toBe(200)
  expect((await follow(links.get, at.api.token)).body.message.message).toBe(text)
  const listed = await follow(links.list, at.api.token)
  expect(listed.body.messages.map(({ message }) => message.id)).toContain(id)
  expect((await follow(links.delete, at.api.token)).body.message).toEqual({ id })
  expect((await at.api.get(`/message/${id}`)).status).toBe(404)
})

test('2.1 following the next and success links takes a message to S', async () => {
  await drain(at.phone)
  const { id } = await createDue(at.api)
  const { links } = (await at.api.get(`/message/${id}`)).body
  const claimed = await follow(links.next, at.phone.token)
  expect(claimed.body.message.id).toBe(id)
  const parts = new URLSearchParams({ parts: '1' })
  expect((await follow(claimed.body.links.success, at.phone.token, parts)).status).toBe(200)
  expect((await read(at.api, id)).status).toBe('S')
})

test('2.1 following the failure link takes a message to E', async () => {
  const { id } = await createMessage(at.api)
  const { links } = (await at.api.get(`/message/${id}`)).body
  const report = new URLSearchParams({ error_message: 'no carrier' })
  expect((await follow(links.failure, at.api.token, report)).status).toBe(200)
  expect((await read(at.api, id)).status).toBe('E')
})

test('2.1 following the links of a subscription reads, edits, lists and deletes it', async () => {
  const made = await at.api.post('/subscription', hook)
  const { links } = made.body
  const { id }: Subscription = made.body.subscription
  const edit = new URLSearchParams({ event: hook.event, method: 'PUT' })
  expect((await follow(links.edit, at.api.token, edit)).status).toBe(200)
  expect((await follow(links.get, at.api.token)).body.subscription.method).toBe('PUT')
  expect((await follow(links.events, at.api.token)).body.events).toContain(hook.event)
  const listed = await follow(links.list, at.api.token)
  expect(listed.body.subscriptions.map(({ subscription }) => subscription.id)).toContain(id)
  expect((await follow(links.delete, at.api.token)).status).toBe(200)
  expect((await at.api.get(`/subscription/${id}`)).status).toBe(404)
})
