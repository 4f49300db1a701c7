import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { createMessage, listenFor } from '../../acts.js'
import { type Caller, expectError, useCallers } from '../../calls.js'
import type { Webhook } from '../../receiver.js'

const at = useCallers()

async function getSecret(caller: Caller, method = 'GET'): Promise<string> {
  const { status, text, headers } = await caller.call(method, '/subscription/secret')
  expect(status, text).toBe(200)
  expect(headers.get('cache-control')).toBe('no-store')
  return JSON.parse(text).secret
}

/** Signs a webhook by the scheme of Standard Webhooks. */
function sign({ headers, target, body }: Webhook, secret: string): string {
  const data = body === '' ? target.slice(target.indexOf('message%5Bid%5D=')) : body
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${data}`
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
}

test.each([true, false])('extension: with post %s a webhook is signed', async post => {
  const secret = await getSecret(at.api)
  const listener = await listenFor(at.api, 'message.create', { post })
  await createMessage(at.api)
  const webhook = await listener.next()
  expect(webhook.headers['webhook-signature']?.split(' ')).toContain(sign(webhook, secret))
  const age = Date.now() / 1000 - Number(webhook.headers['webhook-timestamp'])
  expect(Math.abs(age)).toBeLessThan(120)
})

test('extension: webhooks have the sequence of their event and of the previous one', async () => {
  const listener = await listenFor(at.api, 'message.create')
  const ids = [(await createMessage(at.api)).id, (await createMessage(at.api)).id]
  const [first, second] = [await listener.next(), await listener.next()].map(
    ({ headers }) => headers,
  )
  expect(second?.['webhook-previous']).toBe(first?.['webhook-sequence'])
  const names = [first, second].map(
    (headers, at) => `evt_${headers?.['webhook-sequence']}_${ids[at]}`,
  )
  expect([first?.['webhook-id'], second?.['webhook-id']]).toEqual(names)
})

test('extension: each account has one signing secret', async () => {
  const secret = await getSecret(at.api)
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]+=*$/)
  expect(await getSecret(at.person)).toBe(secret)
  expect(await getSecret(at.stranger)).not.toBe(secret)
})

test('extension: the replaced secret and the new one both sign', async () => {
  const old = await getSecret(at.api)
  const fresh = await getSecret(at.api, 'POST')
  expect(fresh).not.toBe(old)
  expect(await getSecret(at.api)).toBe(fresh)
  const listener = await listenFor(at.api, 'message.create')
  await createMessage(at.api)
  const webhook = await listener.next()
  const [newest, before] = webhook.headers['webhook-signature']?.split(' ') ?? []
  expect([newest, before]).toEqual([sign(webhook, fresh), sign(webhook, old)])
})

test('extension: a token of the application key cannot read the signing secret', async () => {
  for (const method of ['GET', 'POST']) {
    const reply = await at.phone.call(method, '/subscription/secret')
    expectError(reply, 403, 'insufficient_scope')
  }
})

test('extension: the path of the signing secret is not a subscription', async () => {
  for (const method of ['PATCH', 'DELETE']) {
    const reply = await at.api.call(method, '/subscription/secret')
    expectError(reply, 405, 'method_not_allowed')
    expect(reply.headers.get('allow')).toBe('HEAD, GET, POST')
  }
})

test('extension: a subscription can have its own signing secret', async () => {
  const shared = await getSecret(at.api)
  const listener = await listenFor(at.api, 'message.create')
  const path = `/subscription/${listener.subscription.id}/secret`
  const call = async (method: string) => {
    const { status, text, headers } = await at.api.call(method, path)
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    return JSON.parse(text)
  }
  expect(await call('GET')).toEqual({ secret: shared, own: false })
  const own = await call('POST')
  expect(own).toMatchObject({ secret: expect.stringMatching(/^whsec_/), own: true })
  expect(await call('GET')).toEqual(own)
  await createMessage(at.api)
  const webhook = await listener.next()
  const signatures = webhook.headers['webhook-signature']?.split(' ')
  expect(signatures).toEqual([sign(webhook, own.secret), sign(webhook, shared)])
  expect(await call('DELETE')).toEqual({ secret: shared, own: false })
})

test('extension: a test webhook is signed, marked, and not an event', async () => {
  const secret = await getSecret(at.api)
  const listener = await listenFor(at.api, 'message.create', { post: true })
  const { id } = listener.subscription
  const reply = await at.api.post(`/subscription/${id}/test`, {})
  expect(reply.status).toBe(200)
  const { test } = JSON.parse(reply.text)
  expect(test).toMatchObject({ ok: true, status: expect.any(Number), error: null })
  const webhook = await listener.next()
  expect(webhook.headers).toMatchObject({ 'webhook-test': 'true' })
  expect(webhook.headers).not.toHaveProperty('webhook-sequence')
  expect(webhook.headers['webhook-signature']?.split(' ')).toContain(sign(webhook, secret))
  expect(webhook.headers['webhook-id']).toMatch(/^test_/)
  expect(JSON.parse(webhook.body)).toEqual({
    message: { id: '00000000-0000-0000-0000-000000000000' },
  })
  const after = (await at.api.get(`/subscription/${id}`)).body.subscription
  expect(after.stat_triggered).toBe(0)
})

test.each(['GET', 'POST', 'DELETE'])(
  'extension: %s of the secret of an unknown subscription is not_a_subscription',
  async method => {
    expectError(await at.api.call(method, '/subscription/x/secret'), 404, 'not_a_subscription')
  },
)
