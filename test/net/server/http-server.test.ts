import { describe, expect, onTestFinished, test } from 'vitest'
import { HttpServer } from '../../../src/net/server/http-server.js'
import { openConnection } from './client-connection.js'
import { formatRequest, startEcho, startHolding, startServer } from './test-server.js'

const get = (path: string) => formatRequest(`GET ${path}`)

describe('listening', () => {
  test.each([
    ['127.0.0.1', '--port'],
    ['192.0.2.1', '--host'],
  ])('on %s, in use or of another machine, fails and names the flag', async (host, flag) => {
    const first = new HttpServer(() => {})
    onTestFinished(async () => await first.close(0))
    const port = await first.listen({ host: '127.0.0.1', port: 0 })
    await expect(new HttpServer(() => {}).listen({ host, port })).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining(host),
      hint: expect.stringContaining(flag),
    })
  })
})

describe('closing', () => {
  test('waits for the request in progress, whose reply has Connection: close', async () => {
    const { server, port, held } = await startHolding()
    const { write, closed, received } = await openConnection(port)
    await write(get('/a') + get('/b'))
    await expect.poll(() => held.length).toBe(1)
    const ended = server.close(60_000)
    held[0]?.response.sendJson(200, '1')
    await Promise.all([ended, closed])
    expect(received()).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\nConnection: close\r\n\r\n1$/)
    expect(held).toHaveLength(1)
  })

  test('waits for the rest of a body', async () => {
    const { server, port, handled } = await startEcho()
    const { write, closed, received } = await openConnection(port)
    const bytes = formatRequest('PUT /', {}, 'hello')
    await write(bytes.slice(0, -1))
    await expect.poll(() => handled).toHaveLength(1)
    const ended = server.close(60_000)
    await write(bytes.slice(-1))
    await Promise.all([ended, closed])
    expect(received()).toMatch(/\r\nConnection: close\r\n[\s\S]*"body":"hello"/)
  })

  test('ends connections that are idle, and those without a request', async () => {
    const { server, port } = await startEcho()
    const [used, silent] = [await openConnection(port), await openConnection(port)]
    await used.write(get('/'))
    await used.replies(1)
    await Promise.all([server.close(60_000), used.closed, silent.closed])
  })

  test('handles no further request behind a reply that the client still reads', async () => {
    const body = Buffer.alloc(16 * 1024 * 1024, 'x')
    const handled: string[] = []
    const { server, port } = await startServer(({ url }, response) => {
      handled.push(url)
      response.send(200, {}, body)
    })
    const { socket, write } = await openConnection(port)
    socket.pause()
    await write(get('/a'))
    await expect.poll(() => handled).toHaveLength(1)
    const ended = server.close(60_000)
    await write(get('/b'))
    socket.resume()
    await ended
    expect(handled).toEqual(['/a'])
  })

  test('cuts off what takes longer than the grace', async () => {
    const { server, port, held } = await startHolding()
    const { write, closed, received } = await openConnection(port)
    await write(get('/'))
    await expect.poll(() => held.length).toBe(1)
    await server.close(10)
    await closed
    held[0]?.response.sendJson(200, '1')
    expect(received()).toBe('')
  })
})
