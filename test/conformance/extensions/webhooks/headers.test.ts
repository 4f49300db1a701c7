import { expect, test } from 'vitest'
import { createMessage, subscribe } from '../../acts.js'
import { expectError, json } from '../../calls.js'
import { openReceiver } from '../../receiver.js'
import { useSubscriptions } from '../extension-rigs.js'

const { at, event, listenTo, getExtended, listDeliveries, untilDelivered } = useSubscriptions()
const secret = 'k9-Zc.41_secret'
const headers = JSON.stringify({ Authorization: `Bearer ${secret}`, 'x-team': 'ops 24/7' })
const url = 'http://127.0.0.1:9/hook'

async function receiveOne(hook: Awaited<ReturnType<typeof listenTo>>) {
  await createMessage(at.api)
  return (await hook.next()).headers
}

test('extension: webhooks have the own header fields of their subscription', async () => {
  const hook = await listenTo([], { headers })
  expect(await receiveOne(hook)).toMatchObject({
    ...{ authorization: `Bearer ${secret}`, 'x-team': 'ops 24/7' },
    'content-type': 'application/json',
  })
  const changes = { 'X-Team': 'night', Authorization: null, 'x-new': '1' }
  const path = `/subscription/${hook.id}`
  const edited = await at.api.call('PATCH', path, json({ event, headers: changes }))
  expect(edited.status, edited.text).toBe(200)
  const received = await receiveOne(hook)
  expect(received).toMatchObject({ 'x-team': 'night', 'x-new': '1' })
  expect(received).not.toHaveProperty('authorization')
  expect(await getExtended(hook.id)).toMatchObject({ header_names: ['X-Team', 'x-new'] })
  for (const none of ['{}', 'null', '']) {
    await at.api.patch(path, { event, headers: '{"x-a":"1"}' })
    expect((await at.api.patch(path, { event, headers: none })).status).toBe(200)
    expect(await getExtended(hook.id)).not.toHaveProperty('header_names')
  }
  expect(await receiveOne(hook)).not.toHaveProperty('x-team')
})

test('extension: nothing shows the values of header fields again', async () => {
  const hook = await listenTo([{ status: 418 }], { headers, post: false })
  const created = await at.api.post('/subscription?extended=true', { event, url, headers })
  const { subscription } = created.body
  await receiveOne(hook)
  await hook.next()
  await untilDelivered(hook.id, 2)
  const deliveries = await listDeliveries(hook.id)
  const test = await at.api.post(`/subscription/${hook.id}/test`, {})
  const edited = await at.api.patch(`/subscription/${hook.id}`, { event, headers })
  const read = ['?extended=true', `/${hook.id}?extended=true`, `/${hook.id}/delivery`, '']
  const replies = await Promise.all(read.map(path => at.api.get(`/subscription${path}`)))
  const audit = await at.person.get('/audit')
  const all = [created, test, edited, audit, ...replies].map(({ text }) => text).join('\n')
  expect(all).not.toContain(secret)
  expect(JSON.stringify(deliveries)).toContain('Authorization: •••')
  expect(JSON.stringify(deliveries)).toContain('x-team: •••')
  await at.api.delete(`/subscription/${subscription.id}`)
})

test.each<[string, unknown]>([
  ['must be a JSON object', 'Authorization: Bearer x'],
  ['must be a JSON object', '["a"]'],
  ['must not have the name "x y"', { 'x y': '1' }],
  ['must not have the name ""', { '': '1' }],
  ['must not have the name', { Grüße: '1' }],
  ['must not have the name', { 'x-a:': '1' }],
  ['"Host", which the relay sets', { Host: 'example.com' }],
  ['"content-length", which the relay sets', { 'content-length': '0' }],
  ['"Webhook-Id", which the relay sets', { 'Webhook-Id': '1' }],
  ['which the relay sets', { 'transfer-encoding': 'chunked' }],
  ['the value of "x-a"', { 'x-a': `${secret}\r\nX-B: 1` }],
  ['the value of "x-a"', { 'x-a': `${secret}ü` }],
  ['the value of "x-a"', { 'x-a': ` ${secret}` }],
  ['the value of "x-a"', { 'x-a': '' }],
  ['the value of "x-a"', { 'x-a': 7 }],
  ['the value of "x-a"', { 'x-a': secret.repeat(300) }],
  ['"x-a" twice', { 'x-a': '1', 'X-A': '2' }],
  ['at most 16', Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`x-${n}`, '1']))],
])('extension: header fields are refused: %s', async (reason, given) => {
  const created = await at.api.call('POST', '/subscription', json({ event, url, headers: given }))
  expectError(created, 400, 'invalid_parameter', 'headers')
  expect(JSON.parse(created.text).error_description).toContain(reason)
  expect(created.text).not.toContain(secret)
  const { id } = await subscribe(at.api, { event, url, headers })
  const edit = json({ event, headers: given })
  expectError(await at.api.call('PATCH', `/subscription/${id}`, edit), 400, 'invalid_parameter')
  expect(await getExtended(id)).toMatchObject({ header_names: ['Authorization', 'x-team'] })
})

test('extension: another server gets header fields only if they are given again', async () => {
  const hook = await listenTo([], { headers })
  const other = await openReceiver()
  const path = `/subscription/${hook.id}`
  const move = { event, url: `${other.url}/there` }
  const refused = await at.api.patch(path, move)
  expectError(refused, 400, 'invalid_parameter', 'headers')
  expect(refused.text).toContain('Authorization, x-team')
  expect((await at.api.patch(path, { event, url: `${hook.url}/same` })).status).toBe(200)
  expect((await at.api.patch(path, { ...move, headers })).status).toBe(200)
  await createMessage(at.api)
  expect((await other.next()).headers.authorization).toBe(`Bearer ${secret}`)
  expect((await at.api.patch(path, { event, url, headers: '{}' })).status).toBe(200)
})

test('extension: a login in the URL and Authorization exclude each other', async () => {
  const withLogin = { event, url: 'http://ann:pass@127.0.0.1:9/hook' }
  const created = await at.api.post('/subscription', { ...withLogin, headers })
  expectError(created, 400, 'invalid_parameter', 'headers')
  const { id } = await subscribe(at.api, { event, url, headers })
  expectError(await at.api.patch(`/subscription/${id}`, withLogin), 400, 'invalid_parameter')
})
