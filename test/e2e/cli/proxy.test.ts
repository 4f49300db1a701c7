import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { writeCertificate } from '../../certificate-files.js'
import { makeHome, serve } from '../program.js'

/** Starts a proxy that only tunnels, and connects every host to this machine. */
async function startTunnels() {
  const hosts: string[] = []
  const sockets = new Set<Socket>()
  const proxy = createServer((_, response) => response.writeHead(403).end())
  proxy.on('connection', socket => sockets.add(socket))
  proxy.on('connect', ({ url = '' }, socket: Socket) => {
    hosts.push(url)
    const through = connect(Number(url.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n')
      through.pipe(socket).pipe(through)
    })
    sockets.add(through)
    for (const each of [socket, through]) each.on('error', () => each.destroy())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    proxy.close()
  })
  return { hosts, url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` }
}

test('commands and phones reach the relay through the tunnels of a proxy', async () => {
  const { files } = await writeCertificate()
  const { hosts, url: HTTPS_PROXY } = await startTunnels()
  const home = await makeHome(undefined, { NODE_EXTRA_CA_CERTS: files.cert, HTTPS_PROXY })
  const relay = await serve(home, '--tls-cert', files.cert, '--tls-key', files.key)
  const url = relay.url.replace('127.0.0.1', 'localhost')
  const { host } = new URL(url)

  const listener = home.start(['hook', 'listen', '--stream', '--url', url, '--json'])
  await listener.line(({ type }) => type === 'ready')
  const sent = await home.run(['message', 'send', '+12025550123', 'hi', '--url', url])
  expect(sent).toMatchObject({ code: 0, stderr: '' })
  const phone = await home.run(['phone', '--driver', 'simulate', '--once', '--url', url])
  expect(phone.code).toBe(0)
  await listener.line(({ event }) => event === 'message.sent')
  expect(hosts.length).toBeGreaterThan(2)
  expect([...new Set(hosts)]).toEqual([host])

  const before = hosts.length
  home.env.no_proxy = 'localhost'
  expect((await home.run(['message', 'list', '--url', url])).code).toBe(0)
  expect(hosts).toHaveLength(before)
})

test('an error names the proxy and what to check', async () => {
  const { url: HTTP_PROXY } = await startTunnels()
  const home = await makeHome(undefined, { HTTP_PROXY })
  const argv = ['message', 'list', '--url', 'http://sms.company.test', '--token', 'x']
  const { code, stderr } = await home.run(argv)
  expect(code).toBe(1)
  expect(stderr).toContain(`through the proxy ${HTTP_PROXY} with HTTP status 403`)
  expect(stderr).toContain('NO_PROXY')
})
