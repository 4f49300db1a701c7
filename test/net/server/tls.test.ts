import { once } from 'node:events'
import { type ConnectionOptions, connect } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import type { ConnectionLimits } from '../../../src/net/server/connection-limits.js'
import { WatchedCertificate } from '../../../src/net/tls/tls-certificate.js'
import { Metrics } from '../../../src/util/collections/metrics.js'
import { renewed, selfSigned } from '../../certificate.js'
import { writeCertificate } from '../../certificate-files.js'
import { openConnection } from './client-connection.js'
import { formatRequest, readEchoes, startEcho, startServer } from './test-server.js'

async function startTlsEcho(limits: Partial<ConnectionLimits> = {}) {
  const written = await writeCertificate()
  const certificate = await WatchedCertificate.open(written.files)
  const metrics = new Metrics()
  return {
    ...written,
    certificate,
    metrics,
    ...(await startEcho(limits, { certificate, metrics })),
  }
}

/** A TLS connection to the server, and what it received. */
async function openTls(port: number, options: ConnectionOptions = {}) {
  const ca = [selfSigned.cert, renewed.cert]
  const address = { port, host: '127.0.0.1', allowHalfOpen: true }
  const socket = connect({ ...address, ca, ...options })
  onTestFinished(() => void socket.destroy())
  let received = ''
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text
  })
  socket.on('error', () => {})
  const closed = new Promise<void>(resolve => socket.once('close', () => resolve()))
  const isSecure = await Promise.race([
    once(socket, 'secureConnect').then(
      () => true,
      () => false,
    ),
    closed.then(() => false),
  ])
  return { socket, isSecure, closed, received: () => received }
}

test('any method, requests behind each other and a half-closed connection work', async () => {
  const { port } = await startTlsEcho()
  const { socket, closed, received } = await openTls(port, { ALPNProtocols: ['h2', 'http/1.1'] })
  expect(socket.alpnProtocol).toBe('http/1.1')
  socket.end(`${formatRequest('NEXT /message/next')}${formatRequest('POST /x', {}, 'body')}`)
  await closed
  expect(readEchoes(received()).map(({ method, body }) => [method, body])).toEqual([
    ['NEXT', ''],
    ['POST', 'body'],
  ])
})

test('a long reply waits for its reader', async () => {
  const { files } = await writeCertificate()
  const certificate = await WatchedCertificate.open(files)
  const body = 'x'.repeat(4 * 1024 * 1024)
  const { port } = await startServer(
    (_, response) => response.sendJson(200, body),
    {},
    { certificate },
  )
  const { socket, closed, received } = await openTls(port)
  socket.pause()
  socket.end(formatRequest('GET /'))
  setImmediate(() => socket.resume())
  await closed
  expect(received().endsWith(body)).toBe(true)
})

test('a connection beyond a limit is closed, and counts no longer', async () => {
  const { port, metrics } = await startTlsEcho({ connections: 1 })
  const first = await openTls(port)
  expect((await openTls(port)).isSecure).toBe(false)
  expect(metrics.values()).toMatchObject({ http_connections: 1 })
  first.socket.destroy()
  await expect.poll(() => metrics.values().http_connections).toBe(0)
  expect((await openTls(port)).isSecure).toBe(true)
})

test('a client without TLS is disconnected, and others are served', async () => {
  const { port, handled, metrics } = await startTlsEcho()
  const plain = await openConnection(port)
  await plain.write(formatRequest('GET /'))
  await plain.closed
  await expect.poll(() => metrics.values().http_connections).toBe(0)
  const { socket, closed } = await openTls(port)
  socket.end(formatRequest('GET /'))
  await closed
  expect(handled).toEqual(['GET /'])
})

test('a handshake has the time of a head, and does not delay a stop', async () => {
  const { port } = await startTlsEcho({ headTimeout: 50 })
  const silent = await openConnection(port)
  await silent.closed
  const { port: other, server } = await startTlsEcho()
  const waiting = await openConnection(other)
  await expect.poll(() => server.connections).toBe(1)
  await server.close(60_000)
  await waiting.closed
})
