import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { createMessage, listenFor } from '../acts.js'
import { type Caller, expectError, useCallers } from '../calls.js'
import type { Webhook } from '../receiver.js'

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
