import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** What a sink does with a request: write a reply, stay silent, or close the connection. */
export type Reaction = string | 'silence' | 'hang up'

/** A TCP server that records the bytes of each request. */
export interface Sink {
  readonly port: number
  readonly url: string
  /** The bytes of each request, in order of arrival, as latin1. */
  readonly requests: string[]
  /** Message identifiers of the requests, in order of arrival. */
  readonly messages: () => string[]
  /** Resolves when so many requests have arrived. */
  readonly arrived: (count: number) => Promise<void>
  /** Replies to a request that got `silence`. */
  readonly answer: (reply: string) => void
  readonly close: () => Promise<void>
}

export const ok = 'HTTP/1.1 204 No Content\r\n\r\n'

export function reply(status: number, headers = ''): string {
  return `HTTP/1.1 ${status} Whatever\r\nContent-Length: 2\r\n${headers}\r\nhm`
}

export async function openSink(
  react: (nth: number, request: string) => Reaction = () => ok,
  { port = 0, host = '127.0.0.1' } = {},
): Promise<Sink> {
  const requests: string[] = []
  const sockets = new Set<Socket>()
  const silent: Socket[] = []
  const waiting: { count: number; resolve: () => void }[] = []
  const receive = (socket: Socket, request: string): void => {
    requests.push(request)
    const reaction = react(requests.length, request)
    if (reaction === 'hang up') socket.destroy()
    else if (reaction === 'silence') silent.push(socket)
    else socket.write(reaction)
    for (const { count, resolve } of waiting) if (requests.length >= count) resolve()
  }
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    splitRequests(socket, request => receive(socket, request))
  })
  server.listen(port, host)
  await once(server, 'listening')
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy()
    if (server.listening) await new Promise(resolve => server.close(resolve))
  }
  onTestFinished(close)
  const bound = (server.address() as AddressInfo).port
  return {
    port: bound,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    requests,
    messages: () => requests.map(messageOf),
    arrived: async count => {
      if (requests.length >= count) return
      await new Promise<void>(resolve => waiting.push({ count, resolve }))
    },
    answer: text => void silent.shift()?.write(text),
    close,
  }
}

/** A port on which nothing listens. */
export async function freePort(): Promise<number> {
  const sink = await openSink()
  await sink.close()
  return sink.port
}

function splitRequests(socket: Socket, receive: (request: string) => void): void {
  let bytes = ''
  socket.on('data', chunk => {
    bytes += chunk.toString('latin1')
    for (;;) {
      const head = bytes.indexOf('\r\n\r\n') + 4
      if (head === 3) return
      const length = Number(/^content-length: (\d+)$/im.exec(bytes.slice(0, head))?.[1] ?? 0)
      if (bytes.length < head + length) return
      receive(bytes.slice(0, head + length))
      bytes = bytes.slice(head + length)
    }
  })
}

function messageOf(request: string): string {
  const match = /message%5Bid%5D=([^& ]*)/.exec(request) ?? /\{"id":"([^"]*)"\}/.exec(request)
  return match?.[1] ?? 'none'
}
