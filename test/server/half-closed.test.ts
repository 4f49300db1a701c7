// Clients that end their sending side: every complete request gets its answer, an incomplete one
// has no effect.
import { describe, expect, onTestFinished, test } from 'vitest'
import { openConnection, readStatuses } from '../net/server/client-connection.js'
import { exchange, formatRequest } from '../net/server/test-server.js'
import { draft, runRelay } from './running-relay.js'

async function start() {
  const running = await runRelay()
  onTestFinished(async () => await running.relay.stop())
  const { api, phone, relay, account, signIn } = running
  const create = async () => (await api.post('/message', { message: draft })).body.message.id
  const getStatus = async (id: string) => (await api.get(`/message/${id}`)).body.message.status
  /** Whether another phone gets no message. */
  const isLeased = async () => (await (await signIn(relay, account.app_key)).next()).status === 404
  const authorize = ({ token }: { token: string }) => ({ Authorization: `Bearer ${token}` })
  return {
    ...running,
    port: Number(new URL(relay.url).port),
    create,
    getStatus,
    isLeased,
    api: { ...api, fields: authorize(api) },
    phone: { ...phone, fields: authorize(phone) },
  }
}

const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
const message = `message=${encodeURIComponent(JSON.stringify(draft))}`

describe('a client that ends its side after a request gets the answer to', () => {
  test('a POST', async () => {
    const { port, api } = await start()
    const bytes = formatRequest('POST /api/1/message', { ...api.fields, ...form }, message)
    const received = await exchange(port, bytes)
    expect(readStatuses(received)).toEqual([200])
    expect(received).toContain(draft.destination)
  })

  test('pages of the API and the dashboard', async () => {
    const { port, api, create } = await start()
    await create()
    const page = await exchange(port, formatRequest('GET /api/1/message', api.fields))
    expect(page).toContain(draft.destination)
    expect(readStatuses(await exchange(port, formatRequest('GET /login')))).toEqual([200])
  })

  test.each(['', '0', '60'])('a NEXT with wait=%j when a message is due', async wait => {
    const { port, phone, create, isLeased } = await start()
    const id = await create()
    const fields = { ...phone.fields, ...(wait === '' ? {} : { Prefer: `wait=${wait}` }) }
    expect(await exchange(port, formatRequest('NEXT /api/1/message', fields))).toContain(id)
    expect(await isLeased()).toBe(true)
  })

  test('a NEXT that waits: at once that there is no message', async () => {
    const { port, phone, create } = await start()
    const bytes = formatRequest('NEXT /api/1/message', { ...phone.fields, Prefer: 'wait=60' })
    expect(readStatuses(await exchange(port, bytes))).toEqual([404])
    const id = await create()
    expect((await phone.next()).body.message.id).toBe(id)
  })

  test('requests behind each other, a NEXT among them', async () => {
    const { port, api, phone, create, isLeased } = await start()
    const fields = { ...phone.fields, Prefer: 'wait=60' }
    const list = formatRequest('GET /api/1/message', api.fields)
    const next = formatRequest('NEXT /api/1/message', fields)
    expect(readStatuses(await exchange(port, list + next + list))).toEqual([200, 404, 200])
    const id = await create()
    const received = await exchange(port, list + next + list)
    expect(readStatuses(received)).toEqual([200, 200, 200])
    expect(received.split(`"id":"${id}"`)).toHaveLength(4)
    expect(await isLeased()).toBe(true)
  })

  test('an event stream: the recorded events, then its end', async () => {
    const { port, api, create } = await start()
    const id = await create()
    const fields = { ...api.fields, Accept: 'text/event-stream' }
    const bytes = formatRequest('GET /api/1/event?after=0', fields)
    for (const before of ['', formatRequest('GET /api/1/user', api.fields)]) {
      const received = await exchange(port, before + bytes)
      expect(received).toContain(id)
      expect(received).toMatch(/\r\n0\r\n\r\n$/)
    }
  })
})

describe('an incomplete request has no effect:', () => {
  test.each([
    ['a POST', (api: object) => formatRequest('POST /api/1/message', { ...api, ...form }, message)],
    [
      'a chunked POST',
      (api: object) => {
        const fields = { ...api, ...form, 'Transfer-Encoding': 'chunked' }
        const size = message.length.toString(16)
        return `${formatRequest('POST /api/1/message', fields)}${size}\r\n${message}\r\n`
      },
    ],
  ])('%s', async (_, format) => {
    const { port, api } = await start()
    const received = await exchange(port, format(api.fields).slice(0, -1))
    expect(readStatuses(received)).toEqual([400])
    expect((await api.get('/message')).body.messages).toEqual([])
  })

  test.each(['NEXT /api/1/message', 'GET /api/1/message/next'])('%s', async line => {
    const { port, phone, create, isLeased } = await start()
    await create()
    for (const wait of ['0', '60']) {
      const bytes = formatRequest(line, { ...phone.fields, Prefer: `wait=${wait}` }, 'body')
      for (const length of [bytes.length - 1, bytes.length - 4]) {
        expect(readStatuses(await exchange(port, bytes.slice(0, length)))).toEqual([400])
      }
    }
    expect(await isLeased()).toBe(false)
  })

  test.each([
    ['DELETE', ''],
    ['PUT', '/lock'],
  ])('%s of a message%s', async (method, path) => {
    const { port, api, create, getStatus } = await start()
    const id = await create()
    const line = `${method} /api/1/message/${id}${path}`
    const bytes = formatRequest(line, api.fields, 'body').slice(0, -1)
    expect(readStatuses(await exchange(port, bytes))).toEqual([400])
    expect(await getStatus(id)).toBe('N')
  })

  test('GET of a secret URL', async () => {
    const { port, api } = await start()
    const { url } = JSON.parse((await api.post('/url', draft)).text)
    const bytes = formatRequest(`GET ${new URL(url.url).pathname}`, {}, 'body').slice(0, -1)
    expect(readStatuses(await exchange(port, bytes))).toEqual([400])
    expect((await api.get('/message')).body.messages).toEqual([])
  })

  test('GET /oauth/revoke', async () => {
    const { port, api } = await start()
    const line = `GET /oauth/revoke?token=${api.token}`
    const received = await exchange(port, formatRequest(line, {}, 'body').slice(0, -1))
    expect(readStatuses(received)).toEqual([400])
    expect((await api.get('/user')).status).toBe(200)
  })
})

test('a body above the limit gets 413 also for a request that needs no body', async () => {
  const { port, api, create, getStatus } = await start()
  const id = await create()
  const body = 'x'.repeat(256 * 1024 + 1)
  const bytes = formatRequest(`DELETE /api/1/message/${id}`, api.fields, body)
  const { write, replies } = await openConnection(port)
  await write(bytes)
  expect(readStatuses((await replies(1))[0] ?? '')).toEqual([413])
  expect(await getStatus(id)).toBe('N')
})
