import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createMessage, freshText, listenFor, messageIn, read, subscribe } from '../../acts.js'
import { type Caller, expectError, form, type Reply, useCallers } from '../../calls.js'

const at = useCallers()

const url = 'http://127.0.0.1:9/hook'

interface Resource {
  readonly path: string
  /** The fields of a PATCH with a new value. */
  readonly edit: () => Record<string, unknown>
}

async function createResource(kind: string): Promise<Resource> {
  if (kind === 'message') {
    const { id } = await createMessage(at.api, { send_on: '2099-01-01 00:00:00' })
    return { path: `/message/${id}`, edit: () => ({ message: { message: freshText() } }) }
  }
  const { id } = await subscribe(at.api, { event: 'message.failed', url })
  const edit = () => ({ event: 'message.failed', url: `${url}?${randomUUID()}` })
  return { path: `/subscription/${id}`, edit }
}

async function getTag(caller: Caller, path: string): Promise<string> {
  const { headers } = await caller.get(path)
  return headers.get('etag') ?? ''
}

const send = (method: string, path: string, tag: string, fields: Record<string, unknown>) =>
  at.api.call(method, path, {
    headers: { 'if-match': tag },
    ...(method === 'DELETE' ? {} : { body: form(fields) }),
  })

const kinds = ['message', 'subscription']

test.each(kinds)('extension: the ETag of a %s is strong and changes with it', async kind => {
  const { path, edit } = await createResource(kind)
  const before = await getTag(at.api, path)
  expect(before).toMatch(/^"[!#-~]+"$/)
  expect(await getTag(at.api, path)).toBe(before)
  expect(await getTag(at.api, `${path}?extended=true`)).toBe(before)
  const edited = await at.api.patch(path, edit())
  expect(edited.headers.get('etag')).not.toBe(before)
  expect(await getTag(at.api, path)).toBe(edited.headers.get('etag'))
})

test('extension: a delivery does not change the ETag of a subscription, a pause does', async () => {
  const listener = await listenFor(at.api, 'message.failed')
  const path = `/subscription/${listener.subscription.id}`
  const before = await getTag(at.api, path)
  await messageIn(at.api, 'F')
  await listener.next()
  const countTriggered = async () => (await at.api.get(path)).body.subscription.stat_triggered
  await expect.poll(countTriggered).toBe(1)
  expect(await getTag(at.api, path)).toBe(before)
  await at.api.put(`${path}/pause`, {})
  expect(await getTag(at.api, path)).not.toBe(before)
})

test.each(kinds)('extension: of two PATCHes of one version of a %s one counts', async kind => {
  const { path, edit } = await createResource(kind)
  const tag = await getTag(at.api, path)
  const replies = await Promise.all([1, 2].map(() => send('PATCH', path, tag, edit())))
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 412])
  const rejected = replies.find(({ status }) => status === 412) as Reply
  expectError(rejected, 412, 'precondition_failed')
})

const actions: readonly [kind: string, method: string, action: string][] = [
  ['message', 'PATCH', ''],
  ['message', 'DELETE', ''],
  ['message', 'PUT', '/lock'],
  ['subscription', 'PATCH', ''],
  ['subscription', 'DELETE', ''],
  ['subscription', 'PUT', '/pause'],
  ['subscription', 'PUT', '/resume'],
]

test.each(actions)(
  'extension: %s: %s %s with another version changes nothing',
  async (kind, method, action) => {
    const { path, edit } = await createResource(kind)
    const before = await at.api.get(path)
    const old = '"another"'
    expectError(await send(method, path + action, old, edit()), 412, 'precondition_failed')
    const weak = `W/${before.headers.get('etag')}`
    expectError(await send(method, path + action, weak, edit()), 412, 'precondition_failed')
    expect((await at.api.get(path)).text).toBe(before.text)
    const list = `"x,y" , ${before.headers.get('etag')},`
    expect((await send(method, path + action, list, edit())).status).toBe(200)
  },
)

test('extension: If-Match counts on a retry', async () => {
  const path = `/message/${await messageIn(at.api, 'E')}`
  expectError(await send('POST', `${path}/retry`, '"x"', {}), 412, 'precondition_failed')
  expect((await send('POST', `${path}/retry`, await getTag(at.api, path), {})).status).toBe(200)
})

test('extension: If-Match counts on unlock and undelete', async () => {
  const locked = await messageIn(at.api, 'L')
  expectError(await send('PUT', `/message/${locked}/unlock`, '"x"', {}), 412, 'precondition_failed')
  const tag = await getTag(at.api, `/message/${locked}`)
  expect((await send('PUT', `/message/${locked}/unlock`, tag, {})).status).toBe(200)
  const deleted = await messageIn(at.api, 'D')
  expectError(
    await send('PUT', `/message/${deleted}/undelete`, '"x"', {}),
    412,
    'precondition_failed',
  )
  expect((await send('PUT', `/message/${deleted}/undelete`, '*', {})).status).toBe(200)
})

test('extension: If-Match counts on skip and replay', async () => {
  const { path } = await createResource('subscription')
  await at.api.put(`${path}/pause`, {})
  await messageIn(at.api, 'F')
  const extended = `${path}?extended=true`
  const { last } = (await at.api.get('/event')).body as unknown as { last: number }
  for (const action of ['skip', 'replay']) {
    const { text } = await at.api.get(extended)
    const fields = action === 'skip' ? {} : { from: last }
    const run = async (tag: string) => await send('PUT', `${path}/${action}`, tag, fields)
    expectError(await run('"x"'), 412, 'precondition_failed')
    expect((await at.api.get(extended)).text).toBe(text)
    expect((await run(await getTag(at.api, path))).status).toBe(200)
    expect((await at.api.get(extended)).text).not.toBe(text)
  }
})

test.each(kinds)('extension: If-Match: * matches every version of a %s', async kind => {
  const { path, edit } = await createResource(kind)
  expect((await send('PATCH', path, '*', edit())).status).toBe(200)
  expect((await send('DELETE', path, ' * ', {})).status).toBe(200)
})

test.each(['x', '"x', '"x" "y"', '*, "x"', 'w/"x"', ',', '"x";'])(
  'extension: the malformed If-Match %j is invalid_parameter and changes nothing',
  async value => {
    const { path, edit } = await createResource('message')
    const before = await at.api.get(path)
    expectError(await send('PATCH', path, value, edit()), 400, 'invalid_parameter', 'If-Match')
    expectError(await send('DELETE', path, value, edit()), 400, 'invalid_parameter', 'If-Match')
    expect((await at.api.get(path)).text).toBe(before.text)
  },
)

test('extension: an error without If-Match comes before precondition_failed', async () => {
  const sent = await messageIn(at.api, 'S')
  const fields = { message: { message: freshText() } }
  expectError(await send('PATCH', `/message/${sent}`, '"x"', fields), 409, 'invalid_state')
  const { path, edit } = await createResource('message')
  await at.api.delete(path)
  expectError(await send('PATCH', path, '"x"', edit()), 404, 'not_a_message')
  expect(await read(at.api, sent)).toMatchObject({ status: 'S' })
})
