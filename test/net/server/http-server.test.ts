import { describe, expect, onTestFinished, test } from 'vitest'
import { HttpServer } from '../../../src/net/server/http-server.js'
import { request } from '../../conformance/calls.js'
import { openConnection } from '../../net/server/client-connection.js'
import { serve, startRelay } from '../../server/http/app-rig.js'

test('a connection survives every error on it', async () => {
  const { relay, api, defects } = await startRelay()
  const { write, replies, socket } = await openConnection(Number(new URL(relay.url).port))
  const requests: [string, string, string][] = [
    ['GET /nowhere', '', '404'],
    ['GET /api/1/user', 'Authorization: Bearer wrong\r\n', '401'],
    ['GET /oauth', '', '401'],
    ['POST /api/1/message', 'Content-Type: text/plain\r\nContent-Length: 2\r\n', '401'],
    ['POST /api/1/message', `Authorization: Bearer ${api.token}\r\nContent-Length: 2\r\n`, '415'],
    ['BREW /api/1/message', `Authorization: Bearer ${api.token}\r\n`, '405'],
    ['NEXT /api/1/message', `Authorization: Bearer ${api.token}\r\n`, '403'],
    ['GET /api/1/message/%zz', `Authorization: Bearer ${api.token}\r\n`, '400'],
    ['GET /api/1/user', `Authorization: Bearer ${api.token}\r\n`, '200'],
  ]
  for (const [line, headers, status] of requests) {
    const body = headers.includes('Content-Length') ? '{}' : ''
    await write(`${line} HTTP/1.1\r\nHost: x\r\n${headers}\r\n${body}`)
    const count = requests.findIndex(each => each[0] === line && each[2] === status) + 1
    expect((await replies(count)).at(-1)).toContain(`HTTP/1.1 ${status} `)
  }
  expect(socket.destroyed).toBe(false)
  expect(defects).toEqual([])
})

test('requests sent ahead are answered in order, errors among them', async () => {
  const { port } = await serve(async request => {
    if (request.url === '/?1') throw new Error('hello')
    return { url: request.url }
  })
  const { write, replies } = await openConnection(port)
  await write([0, 1, 2].map(n => `GET /?${n} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''))
  const bodies = (await replies(3)).map(reply => JSON.parse(reply.split('\r\n\r\n')[1] ?? ''))
  expect(bodies).toMatchObject([{ url: '/?0' }, { error: 'internal_error' }, { url: '/?2' }])
})

test('a reply that was begun and then fails is cut off, not mixed with an error', async () => {
  const { port } = await serve(async (_, response) => {
    response.startStream(200, {})
    response.write('half')
    throw new Error('hello')
  })
  const { write, closed, received } = await openConnection(port)
  await write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await closed
  expect(received()).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*\r\n\r\n4\r\nhalf\r\n$/)
})

test('HEAD is answered as GET, without the body', async () => {
  const { url } = await serve(async () => ({ a: 1 }))
  const reply = await request(url, 'HEAD')
  expect([reply.status, reply.headers.get('content-length'), reply.text]).toEqual([200, '7', ''])
})

describe('listening', () => {
  test.each([
    ['127.0.0.1', '--port'],
    ['192.0.2.1', '--host'],
  ])('on %s, port in use or address of another machine, fails with a hint', async (host, flag) => {
    const handler = () => {}
    const first = new HttpServer(handler)
    onTestFinished(async () => await first.close(0))
    const port = await first.listen({ host: '127.0.0.1', port: 0 })
    await expect(new HttpServer(handler).listen({ host, port })).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining(host),
      hint: expect.stringContaining(flag),
    })
  })
})

describe('closing', () => {
  /** A server whose replies wait for a word. */
  async function slow() {
    let go: (value: unknown) => void = () => {}
    const word = new Promise(resolve => {
      go = resolve
    })
    let came: () => void = () => {}
    const asked = new Promise<void>(resolve => {
      came = resolve
    })
    const served = await serve(async () => {
      came()
      await word
      return { ok: true }
    })
    return { ...served, go: () => go(undefined), asked }
  }

  test('waits for the reply in hand, which says that the connection ends', async () => {
    const { server, port, go, asked } = await slow()
    const { write, replies, closed } = await openConnection(port)
    await write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await asked
    const ended = server.close(60_000)
    go()
    const [reply] = await replies(1)
    expect(reply).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*Connection: close[\s\S]*\{"ok":true\}$/i)
    await Promise.all([ended, closed])
  })

  test('ends connections that are idle and those that never asked', async () => {
    const { server, port } = await serve(async () => ({}))
    const [used, silent] = [await openConnection(port), await openConnection(port)]
    await used.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await used.replies(1)
    await Promise.all([server.close(60_000), used.closed, silent.closed])
  })

  test('cuts off what takes longer than the grace', async () => {
    const { server, port, asked } = await slow()
    const { write, closed, received } = await openConnection(port)
    await write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await asked
    await server.close(10)
    await closed
    expect(received()).toBe('')
  })
})
