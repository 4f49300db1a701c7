import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { createDriver } from '../../../../src/phone/drivers/driver-registry.js'
import { createClock } from '../../../../src/util/async/clock.js'

/** The reply of a provider, or what it does with the socket instead. */
export type Reply =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  | ((socket: Socket) => void)

/** Starts a provider that records the bytes of each request and sends scripted replies. */
export async function startProvider(...script: readonly Reply[]) {
  const left = [...script]
  return await startDecider(() => left.shift() ?? { status: 200 })
}

/** Starts a provider with a function that decides each reply. */
export async function startDecider(decide: (request: string) => Reply) {
  const requests: string[] = []
  const sockets = new Set<Socket>()
  const connections = () => sockets.size
  const server = createServer(socket => {
    sockets.add(socket)
    let bytes = ''
    socket.on('error', () => {})
    socket.on('data', data => {
      bytes += data.toString('latin1')
      if (!isComplete(bytes)) return
      const request = Buffer.from(bytes, 'latin1').toString()
      bytes = ''
      requests.push(request)
      answer(socket, decide(request))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const stop = async () => {
    for (const socket of sockets) socket.destroy()
    if (server.listening) await new Promise(resolve => server.close(resolve))
  }
  onTestFinished(stop)
  return { requests, host: `127.0.0.1:${port}`, url: `http://127.0.0.1:${port}`, stop, connections }
}

function isComplete(bytes: string): boolean {
  const [head = '', body] = bytes.split('\r\n\r\n', 2)
  const [, length = '0'] = /^content-length: (\d+)$/im.exec(head) ?? []
  return body !== undefined && body.length >= Number(length)
}

function answer(socket: Socket, reply: Reply): void {
  if (typeof reply === 'function') {
    reply(socket)
    return
  }
  const { status, headers = {}, body = '' } = reply
  const lines = Object.entries({ 'Content-Length': `${Buffer.byteLength(body)}`, ...headers })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.write(`HTTP/1.1 ${status} Whatever\r\n${head}\r\n${body}`)
}

export function httpDriver(
  options: Record<string, string>,
  env: Record<string, string> = {},
  now = Date.now,
) {
  return createDriver('http', options, { env, clock: { ...createClock(), now } })
}

/** Formats the expected bytes of a request. */
export function formatRequest(lines: readonly string[], body?: string): string {
  const length = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
  return [...lines, ...length, 'Connection: keep-alive', '', body ?? ''].join('\r\n')
}

export const never = new AbortController().signal
export const message = { id: 'id-1', destination: '+12025550123', text: 'Hé & "100%" \\ {id}\n' }
export const jsonBody = { body: '{"to":"{destination}","text":"{text}"}' }

/** A driver that sends to a provider, which answers with this script. */
export async function openSending(options: Record<string, string>, ...script: readonly Reply[]) {
  const provider = await startProvider(...script)
  const driver = httpDriver({ url: `${provider.url}/send`, ...jsonBody, ...options })
  return { ...provider, driver, sent: () => driver.send(message, never) }
}
