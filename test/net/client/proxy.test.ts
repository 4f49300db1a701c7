import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { describeProxy, findProxy } from '../../../src/net/client/proxy.js'
import { sendRequest } from '../../../src/net/client/send-request.js'

const names = ['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy']

/** Sets the variables of proxies for one test; all others of them are unset. */
function setProxies(values: Readonly<Record<string, string>>): void {
  const all = names.flatMap(name => [name, name.toUpperCase()])
  const before = all.map(name => [name, process.env[name]] as const)
  for (const name of all) delete process.env[name]
  Object.assign(process.env, values)
  onTestFinished(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  })
}

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', socket => sockets.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** Starts a proxy that answers requests itself and refuses tunnels. */
async function startProxy(status: number) {
  const seen: string[] = []
  const proxy = createServer(({ method, url, headers }, response) => {
    seen.push(`${method} ${url} ${headers['proxy-authorization']}`)
    response.writeHead(status).end('proxy')
  })
  proxy.on('connect', (_, socket: Socket) => socket.end(`HTTP/1.1 ${status} No\r\n\r\n`))
  return { seen, address: `127.0.0.1:${await listen(proxy)}` }
}

const put = { method: 'PUT', headers: {}, body: 'a=b' }

describe('the proxy of an address', () => {
  test.each([
    [{}, undefined],
    [{ http_proxy: '', NO_PROXY: '*' }, undefined],
    [{ HTTP_PROXY: 'http://p:1' }, undefined],
    [{ HTTPS_PROXY: 'http://p:1' }, 'http://p:1'],
    [{ https_proxy: 'p:1' }, 'http://p:1'],
    [{ HTTPS_PROXY: 'https://p:1' }, 'https://p:1'],
    [{ ALL_PROXY: 'http://p:1' }, 'http://p:1'],
    [{ https_proxy: 'http://p:1', HTTPS_PROXY: 'http://q:1' }, 'http://p:1'],
    [{ HTTPS_PROXY: 'http://p:1', NO_PROXY: 'b.test,.a.test' }, undefined],
    [{ HTTPS_PROXY: 'http://p:1', no_proxy: 'sms.a.test:8443' }, 'http://p:1'],
    [{ HTTPS_PROXY: 'http://p:1', NO_PROXY: '*' }, undefined],
  ])('with %j is %s', async (variables, proxy) => {
    setProxies(variables)
    expect(await findProxy('https://sms.a.test/x')).toBe(proxy)
  })

  test('is also that of a loopback address', async () => {
    setProxies({ HTTP_PROXY: 'http://user:secret@p:1' })
    expect(await describeProxy('http://127.0.0.1:8080')).toBe(' through the proxy http://p:1')
  })
})

describe('a request through a proxy', () => {
  const connected: string[] = []
  const onConnected = () => void connected.push('yes')
  beforeEach(() => void connected.splice(0))

  test('over http is sent to it with the whole address', async () => {
    const { seen, address } = await startProxy(200)
    setProxies({ HTTP_PROXY: `http://user:p%40ss@${address}` })
    for (const url of ['http://sms.test/a?b', 'http://sms.test:81/']) {
      const { status, body } = await sendRequest({ ...put, url }, { onConnected })
      expect([status, body.toString()]).toEqual([200, 'proxy'])
    }
    const login = `Basic ${Buffer.from('user:p@ss').toString('base64')}`
    expect(seen).toEqual([`PUT http://sms.test/a?b ${login}`, `PUT http://sms.test:81/ ${login}`])
    expect(connected).toEqual(['yes', 'yes'])
  })

  test.each([
    ['http', 407],
    ['https', 407],
    ['https', 403],
  ])('over %s is an error if the proxy answers %i', async (scheme, status) => {
    const { address } = await startProxy(status)
    setProxies({ ALL_PROXY: `http://${address}` })
    const sent = sendRequest({ ...put, url: `${scheme}://sms.test/` }, { onConnected })
    await expect(sent).rejects.toThrow(`the proxy answered with HTTP status ${status}`)
    if (scheme === 'https') expect(connected).toEqual([])
  })

  test('that is no HTTP proxy is an error that says what to set', async () => {
    setProxies({ ALL_PROXY: 'socks5://user:secret@p:1' })
    await expect(sendRequest({ ...put, url: 'http://sms.test/' }, {})).rejects.toMatchObject({
      code: 'configuration',
      message: 'HTTP requests cannot go through the proxy socks5://p:1.',
      hint: expect.stringContaining('NO_PROXY'),
    })
  })

  test('is not sent through it with an agent of its own, as webhooks are', async () => {
    setProxies({ HTTP_PROXY: 'http://127.0.0.1:1' })
    const server = createServer((_, response) => response.end('direct'))
    const url = `http://127.0.0.1:${await listen(server)}/`
    expect((await sendRequest({ ...put, url }, { agent: false })).body.toString()).toBe('direct')
  })
})
