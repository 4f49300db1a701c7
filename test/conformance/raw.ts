import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Reply } from './calls.js'

/** Sends the pieces one by one, and returns all received bytes as text. */
export async function exchange(
  baseUrl: string,
  pieces: Iterable<string | Buffer>,
): Promise<string> {
  const socket = await open(new URL(baseUrl))
  const received: Buffer[] = []
  const ended = new Promise<void>(resolve => {
    socket.on('data', chunk => received.push(chunk))
    // A relay may disconnect during a body that it rejects; its reply came before.
    socket.on('error', () => resolve())
    socket.on('close', () => resolve())
  })
  for (const piece of pieces) {
    if (received.length > 0 || socket.destroyed) break
    await new Promise(resolve => socket.write(piece, resolve))
    await new Promise(resolve => setImmediate(resolve))
  }
  await ended
  return Buffer.concat(received).toString('utf8')
}

function open(url: URL): Promise<Socket> {
  const secure = url.protocol === 'https:'
  const port = Number(url.port || (secure ? 443 : 80))
  const host = url.hostname
  return new Promise((resolve, reject) => {
    const socket: Socket = secure
      ? connectTls({ host, port, servername: host }, () => resolve(socket))
      : connect(port, host, () => resolve(socket))
    socket.setNoDelay(true)
    socket.once('error', reject)
  })
}

/** Parses the last reply of a connection. */
export function lastReply(text: string): Reply {
  const start = text.lastIndexOf('HTTP/1.1 ')
  const [head = '', body = ''] = text.slice(start).split('\r\n\r\n')
  const [line = '', ...fields] = head.split('\r\n')
  const headers = new Headers(fields.map(field => field.split(/:\s*/, 2) as [string, string]))
  const inner = body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1)
  return {
    status: Number(line.split(' ')[1]),
    headers,
    text: inner,
    body: inner === '' ? {} : JSON.parse(inner),
  } as Reply
}

/** Parses the status of each reply of a connection. */
export function statuses(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(match => Number(match[1]))
}
