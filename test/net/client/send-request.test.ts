import { once } from 'node:events'
import { Agent } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createFetch } from '../../../src/net/client/fetch.js'
import {
  openReply,
  RequestTimeout,
  type SendOptions,
  sendRequest,
} from '../../../src/net/client/send-request.js'

type Script = (socket: Socket, request: string, nth: number) => void

async function startServer(script: Script) {
  const requests: string[] = []
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.on('data', data => {
      requests.push(data.toString('latin1'))
      script(socket, data.toString('latin1'), requests.length)
    })
  })
  const sockets = new Set<Socket>()
  server.on('connection', socket => sockets.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, server }
}

function respond(body: string, head = 'HTTP/1.1 200 OK'): Script {
  return socket => void socket.write(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
}

const plain: SendOptions = { agent: false }

describe('a request', () => {
  test('is sent with its method, target and fields in their letter case and order', async () => {
    const { url, requests } = await startServer(respond(''))
    const headers = { Host: 'example.com', 'x-B': '1', 'X-a': 'ü', 'Content-Length': '0' }
    await sendRequest({ method: 'nExT', url, target: "/p'?a=%zz", headers, body: '' }, plain)
    expect(requests).toEqual([
      "nExT /p'?a=%zz HTTP/1.1\r\nHost: example.com\r\nx-B: 1\r\nX-a: ü\r\n" +
        'Content-Length: 0\r\nConnection: close\r\n\r\n',
    ])
  })

  test.each(['DELETE', 'GET', 'PATCH'])('%s gets the length of its body in bytes', async method => {
    const { url, requests } = await startServer(respond(''))
    await sendRequest({ method, url, headers: {}, body: 'ü' }, plain)
    expect(requests[0]).toContain('Content-Length: 2\r\n')
  })

  test('does not send the login of its URL', async () => {
    const { url, requests } = await startServer(respond(''))
    const withLogin = url.replace('//', '//user:secret@')
    await sendRequest({ method: 'GET', url: withLogin, headers: {} }, plain)
    expect(requests[0]).not.toMatch(/authorization|secret/i)
  })

  test('is sent again after a stale connection only with resendWhenStale', async () => {
    const { url, requests } = await startServer((socket, request, nth) => {
      if (nth % 2 === 1) respond('ok')(socket, request, nth)
      else socket.destroy()
    })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    const post = { method: 'POST', url, headers: {}, body: '1' }
    await sendRequest(post, { agent })
    const reply = await sendRequest(post, { agent, resendWhenStale: true })
    expect([reply.status, requests.length]).toEqual([200, 3])
    await expect(sendRequest(post, { agent })).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(requests).toHaveLength(4)
  })

  test('calls onConnected also on a connection that was kept alive', async () => {
    const { url } = await startServer(respond('ok'))
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    let connected = 0
    const onConnected = (): void => {
      connected += 1
    }
    for (let n = 0; n < 2; n += 1) {
      await sendRequest({ method: 'GET', url, headers: {} }, { agent, onConnected })
    }
    expect(connected).toBe(2)
  })
})

describe('a reply', () => {
  test('is returned with any status; redirects are not followed', async () => {
    const { url, requests } = await startServer(
      respond('gone', 'HTTP/1.1 307 Moved\r\nLocation: /elsewhere'),
    )
    const reply = await sendRequest({ method: 'GET', url, headers: {} }, plain)
    expect(reply).toMatchObject({ status: 307, headers: { location: '/elsewhere' } })
    expect([reply.body.toString(), reply.cutOff, requests.length]).toEqual(['gone', undefined, 1])
  })

  test('over the limit is cut off', async () => {
    const { url } = await startServer(respond('x'.repeat(100)))
    const options = { ...plain, maxBody: 10 }
    const { body, cutOff } = await sendRequest({ method: 'GET', url, headers: {} }, options)
    expect([body.length, cutOff]).toEqual([10, expect.any(Error)])
  })

  test('that breaks off keeps its status and its first bytes', async () => {
    const { url } = await startServer(socket =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nfirst'),
    )
    const reply = await sendRequest({ method: 'GET', url, headers: {} }, plain)
    expect(reply).toMatchObject({ status: 200, cutOff: { code: 'ECONNRESET' } })
    expect(reply.body.toString()).toBe('first')
  })

  test.each([
    ['CONNECT', '200 OK'],
    ['GET', '101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x'],
  ])('to %s with %s ends the connection', async (method, status) => {
    const { url } = await startServer(socket => socket.write(`HTTP/1.1 ${status}\r\n\r\nbytes`))
    const reply = await sendRequest({ method, url, headers: {} }, plain)
    expect([reply.status, reply.body.length]).toEqual([Number(status.slice(0, 3)), 0])
  })

  test('that does not come in time is a RequestTimeout', async () => {
    const { url } = await startServer(() => {})
    const sent = sendRequest({ method: 'GET', url, headers: {} }, { ...plain, timeout: 20 })
    await expect(sent).rejects.toBeInstanceOf(RequestTimeout)
  })

  test('whose request is aborted throws the reason, before and after the head', async () => {
    const { url } = await startServer(socket =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n'),
    )
    const reason = new Error('stop')
    const aborted = AbortSignal.abort(reason)
    const get = { method: 'GET', url, headers: {} }
    await expect(openReply(get, { ...plain, signal: aborted })).rejects.toBe(reason)
    const ending = new AbortController()
    const reply = await openReply(get, { ...plain, signal: ending.signal })
    const failed = once(reply, 'error')
    ending.abort(reason)
    expect(await failed).toEqual([reason])
  })
})

describe('fetch over it', () => {
  const localFetch = createFetch()

  test('sends any method and body and returns status, fields and body', async () => {
    const { url, requests } = await startServer(respond('{"a":"ü"}', 'HTTP/1.1 201 OK\r\nX-A: b'))
    const response = await localFetch(url, {
      method: 'NEXT',
      headers: { authorization: 'Bearer t' },
      body: 'text',
    })
    expect([response.status, response.headers.get('x-a')]).toEqual([201, 'b'])
    expect(await response.text()).toContain('"a"')
    expect(requests[0]).toMatch(/^NEXT \/ HTTP\/1\.1\r\n/)
    expect(requests[0]).toMatch(/authorization: Bearer t\r\n.*\r\n\r\ntext$/s)
  })

  test.each([
    ['GET', 204],
    ['GET', 304],
    ['HEAD', 200],
  ])('%s with status %i has no body', async (method, status) => {
    const { url } = await startServer(socket => socket.write(`HTTP/1.1 ${status} X\r\n\r\n`))
    const response = await localFetch(url, { method })
    expect([response.status, await response.text()]).toEqual([status, ''])
  })

  test('rejects like fetch when there is no reply', async () => {
    const { url, server } = await startServer(() => {})
    server.close()
    const failed = localFetch(url)
    await expect(failed).rejects.toMatchObject({
      name: 'TypeError',
      cause: { code: 'ECONNREFUSED' },
    })
  })

  test('ends the body with the reason of an abort', async () => {
    const { url } = await startServer(socket =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nfirst'),
    )
    const ending = new AbortController()
    const response = await localFetch(url, { signal: ending.signal })
    ending.abort(new Error('stop'))
    await expect(response.text()).rejects.toThrow('stop')
  })
})
