import { expect, test } from 'vitest'
import { createMessage, subscribe } from '../acts.js'
import { basic, type Fields, useCallers } from '../calls.js'
import { openReceiver, type Webhook } from '../receiver.js'

const at = useCallers()

/** Returns the webhook of a new message; `tail` follows the authority of the url. */
async function hitOn(
  fields: Fields,
  tail = '/hook',
  login = '',
): Promise<{ id: string; webhook: Webhook }> {
  const receiver = await openReceiver()
  const url = `${receiver.url.replace('//', `//${login}`)}${tail}`
  await subscribe(at.api, { event: 'message.create', url, ...fields })
  const { id } = await createMessage(at.api)
  return { id, webhook: await receiver.next() }
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
])('6.2 a webhook uses the method %s of the subscription', async method => {
  const { webhook } = await hitOn({ method, post: true })
  expect(webhook.method).toBe(method)
})

test.each([
  ['/a/b/c', '/a/b/c'],
  ['', '/'],
  ['/a%20b?c=d&e=%5B1%5D', '/a%20b?c=d&e=%5B1%5D'],
  ["/p?a='1'&#f", "/p?a='1'&"],
  ['/p?', '/p?'],
])('6.2 a webhook with post to %j requests %s', async (tail, asked) => {
  const { webhook } = await hitOn({ post: true }, tail)
  expect(webhook.target).toBe(asked)
})

test('6.2 a webhook has the host and port of the url', async () => {
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
  [':pass@', '', 'pass'],
  ['me:100%@', 'me', '100%'],
])('6.2 a login %s in the url becomes Basic authorization', async (login, name, password) => {
  const { webhook } = await hitOn({ post: true }, '/hook', login)
  expect(webhook.headers.authorization).toBe(basic(name, password))
  expect(webhook.target).toBe('/hook')
  expect(webhook.headers.host).not.toContain('@')
})

test('6.2 a webhook without a login in the url has no Authorization', async () => {
  expect((await hitOn({ post: true })).webhook.headers).not.toHaveProperty('authorization')
})

test('6.2 a url of 1,024 characters is requested in full', async () => {
  const receiver = await openReceiver()
  const url = `${receiver.url}/`.padEnd(1024, 'x')
  await subscribe(at.api, { event: 'message.create', url, post: true })
  await createMessage(at.api)
  expect((await receiver.next()).target).toBe(url.slice(receiver.url.length))
})

test('6.3 with post the query of the url is unchanged', async () => {
  expect((await hitOn({ post: true }, '/hook?a=b')).webhook.target).toBe('/hook?a=b')
})

test.each(['POST', 'GET', 'DELETE', 'NOTIFY'])(
  '6.3 with post the method %s has the body',
  async method => {
    const { id, webhook } = await hitOn({ method, post: true })
    expect(webhook.method).toBe(method)
    expect(JSON.parse(webhook.body)).toEqual({ message: { id } })
  },
)

test.each(['POST', 'GET', 'PUT', 'NOTIFY'])(
  '6.4 without post the method %s is text/plain with an empty body of length 0',
  async method => {
    const { webhook } = await hitOn({ method })
    expect(webhook.headers['content-type']).toBe('text/plain')
    expect(webhook.headers['content-length']).toBe('0')
    expect(webhook.body).toBe('')
    expect(webhook.headers).not.toHaveProperty('transfer-encoding')
  },
)

test.each([
  ['/hook?a=b', '/hook?a=b&message%5Bid%5D='],
  ['/hook?a=b&c=%20d', '/hook?a=b&c=%20d&message%5Bid%5D='],
  ['?a=b', '/?a=b&message%5Bid%5D='],
  ['', '/?message%5Bid%5D='],
  ['/p?', '/p?message%5Bid%5D='],
  ['/p?a=1&', '/p?a=1&message%5Bid%5D='],
  ['/p?a=1#part?x', '/p?a=1&message%5Bid%5D='],
  ['/p?a=1?', '/p?a=1?&message%5Bid%5D='],
  [`?q='"<>[]|%zz+%20&&=`, `/?q='"<>[]|%zz+%20&&=&message%5Bid%5D=`],
  ['/ü/ß?q=€😀', '/%C3%BC/%C3%9F?q=%E2%82%AC%F0%9F%98%80&message%5Bid%5D='],
  ['/a%2Fb/;x=1,2', '/a%2Fb/;x=1,2?message%5Bid%5D='],
])('6.4 without post the id follows the query of %j', async (tail, target) => {
  const { id, webhook } = await hitOn({}, tail)
  expect(webhook.target).toBe(target + id)
})
