import { expect, test } from 'vitest'
import { createMessage, listenFor, messageIn, subscribe } from '../acts.js'
import { basic, type Fields, useCallers } from '../calls.js'
import { type Hit, openReceiver } from '../receiver.js'

const at = useCallers()

/** The hit of a new message on a subscription with these fields; `tail` follows the authority. */
async function hitOn(
  fields: Fields,
  tail = '/hook',
  login = '',
): Promise<{ id: string; hit: Hit }> {
  const receiver = await openReceiver()
  const url = `${receiver.url.replace('//', `//${login}`)}${tail}`
  await subscribe(at.api, { event: 'message.create', url, ...fields })
  const { id } = await createMessage(at.api)
  return { id, hit: await receiver.next() }
}

test.each([
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'GET',
  'NEXT',
  'NoTify',
  'ABCDEFGHIJKLMNOP',
  "!#$%&'*+-.^_`|~0",
])('6.2 a hit uses the method %s of the subscription', async method => {
  const { hit } = await hitOn({ method, post: true })
  expect(hit.method).toBe(method)
})

test('6.2 a hit uses POST when the subscription names no method', async () => {
  expect((await hitOn({})).hit.method).toBe('POST')
})

test.each([
  ['/a/b/c', '/a/b/c'],
  ['', '/'],
  ['/a%20b?c=d&e=%5B1%5D', '/a%20b?c=d&e=%5B1%5D'],
])('6.2 a hit with a body on %j asks for %s', async (tail, asked) => {
  const { hit } = await hitOn({ post: true }, tail)
  expect(hit.target).toBe(asked)
})

test('6.2 a hit names the host and port of the url', async () => {
  const receiver = await openReceiver()
  await subscribe(at.api, { event: 'message.create', url: receiver.url })
  await createMessage(at.api)
  expect((await receiver.next()).headers.host).toBe(new URL(receiver.url).host)
})

test.each([
  ['user:secret@', 'user', 'secret'],
  ['user:p%40ss%3Aword@', 'user', 'p@ss:word'],
  ['j%C3%BCrgen:pass@', 'jürgen', 'pass'],
  ['user@', 'user', ''],
])('6.2 a login %s in the url becomes Basic authorization', async (login, name, password) => {
  const { hit } = await hitOn({ post: true }, '/hook', login)
  expect(hit.headers.authorization).toBe(basic(name, password))
  expect(hit.target).toBe('/hook')
  expect(hit.headers.host).not.toContain('@')
})

test('6.2 a hit without a login in the url carries no authorization', async () => {
  expect((await hitOn({ post: true })).hit.headers).not.toHaveProperty('authorization')
})

test('6.2 a url of 1,024 characters is hit in full', async () => {
  const receiver = await openReceiver()
  const url = `${receiver.url}/`.padEnd(1024, 'x')
  await subscribe(at.api, { event: 'message.create', url, post: true })
  await createMessage(at.api)
  expect((await receiver.next()).target).toBe(url.slice(receiver.url.length))
})

test('6.3 with post the body is JSON with the id, its type and its length', async () => {
  const { id, hit } = await hitOn({ post: true })
  expect(JSON.parse(hit.body)).toEqual({ message: { id } })
  expect(hit.headers['content-type']).toBe('application/json')
  expect(hit.headers['content-length']).toBe(String(Buffer.byteLength(hit.body)))
  expect(hit.headers).not.toHaveProperty('transfer-encoding')
})

test('6.3 with post the query of the url is left alone', async () => {
  expect((await hitOn({ post: true }, '/hook?a=b')).hit.target).toBe('/hook?a=b')
})

test.each(['POST', 'GET', 'DELETE', 'NOTIFY'])(
  '6.3 with post the method %s carries the body',
  async method => {
    const { id, hit } = await hitOn({ method, post: true })
    expect(hit.method).toBe(method)
    expect(JSON.parse(hit.body)).toEqual({ message: { id } })
  },
)

test('6.4 without post the id is in the query, with encoded brackets', async () => {
  const { id, hit } = await hitOn({ post: false })
  expect(hit.target).toBe(`/hook?message%5Bid%5D=${id}`)
})

test.each(['POST', 'GET', 'PUT', 'NOTIFY'])(
  '6.4 without post the method %s is text/plain with an empty body of length 0',
  async method => {
    const { hit } = await hitOn({ method })
    expect(hit.headers['content-type']).toBe('text/plain')
    expect(hit.headers['content-length']).toBe('0')
    expect(hit.body).toBe('')
    expect(hit.headers).not.toHaveProperty('transfer-encoding')
  },
)

test.each([
  ['/hook?a=b', '/hook?a=b&message%5Bid%5D='],
  ['/hook?a=b&c=%20d', '/hook?a=b&c=%20d&message%5Bid%5D='],
  ['?a=b', '/?a=b&message%5Bid%5D='],
  ['', '/?message%5Bid%5D='],
])('6.4 without post the id follows the query of %j', async (tail, target) => {
  const { id, hit } = await hitOn({}, tail)
  expect(hit.target).toBe(target + id)
})

test('6.5 every hit carries the same X-Hook-From', async () => {
  const hits = [
    await hitOn({ post: true }),
    await hitOn({ post: false }),
    await hitOn({ method: 'GET', post: true }),
  ].map(({ hit }) => hit.headers['x-hook-from'])
  expect(hits[0]).toMatch(/^[\w.-]+$/)
  expect(new Set(hits).size).toBe(1)
})

test.each([
  ['message.create', 'N'],
  ['message.sent', 'S'],
  ['message.failed', 'F'],
  ['message.blocked', 'B'],
])('6.6 a hit of %s carries the id and nothing else of the message', async (event, letter) => {
  const ear = await listenFor(at.api, event)
  const id = await messageIn(at.api, letter)
  expect(JSON.parse((await ear.next()).body)).toEqual({ message: { id } })
})
