import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A plain TCP connection to the relay, and what it received. */
export interface RawConnection {
  readonly socket: Socket
  /** Resolves to all that was received, when the relay closes the connection. */
  readonly closed: Promise<string>
  readonly received: () => string
}

/** Opens a connection from a loopback address. */
export async function openConnection(
  port: number,
  { address = '127.0.0.1', allowHalfOpen = false } = {},
): Promise<RawConnection> {
  const options = { port, host: '127.0.0.1', localAddress: address, noDelay: true, allowHalfOpen }
  const socket = connect(options)
  socket.on('error', () => {})
  const closed = new Promise<string>(resolve => {
    socket.once('close', () => resolve(received))
  })
  let received = ''
  await once(socket, 'connect')
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text
  })
  // The relay's end; a half-open socket does not close by itself.
  socket.once('end', () => socket.end())
  return { socket, closed, received: () => received }
}

export function readStatuses(received: string): number[] {
  return [...received.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status))
}

/** The text of a request with a token; a body has its length. */
export function formatRequest(
  line: string,
  token: string,
  { body = '', type = 'application/json' } = {},
): string {
  const length = body === '' ? '' : `Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n`
  const head = `Host: localhost\r\nAuthorization: Bearer ${token}\r\n`
  return `${line} HTTP/1.1\r\n${head}${length}\r\n${body}`
}
