import { createServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** One request as it came over the wire; header names in lower case. */
export interface Hit {
  method: string
  target: string
  headers: Record<string, string>
  body: string
}

export interface Receiver {
  url: string
  /** The hits in the order of their arrival, each handed out once. */
  next: () => Promise<Hit>
}

export interface Answer {
  status: number
  headers?: string[]
}

/**
 * A server for hits that accepts any method and keeps the request as it was sent: node:http would
 * refuse the methods it does not know.
 */
export async function openReceiver(
  answer: (hit: Hit, nth: number) => Answer = () => ({ status: 204 }),
): Promise<Receiver> {
  const queue = createQueue<Hit>()
  let count = 0
  const server = createServer(socket =>
    readRequest(socket, hit => {
      count += 1
      queue.push(hit)
      return answer(hit, count)
    }),
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => close(server))
  return { url: `http://127.0.0.1:${portOf(server)}`, next: queue.shift }
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port.')
  return address.port
}

function close(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve())
  })
}

function readRequest(socket: Socket, receive: (hit: Hit) => Answer): void {
  let bytes = Buffer.alloc(0)
  let answered = false
  socket.on('error', () => socket.destroy())
  socket.on('data', chunk => {
    bytes = Buffer.concat([bytes, chunk])
    const hit = parseHit(bytes)
    if (hit === undefined || answered) return
    answered = true
    const { status, headers = [] } = receive(hit)
    const head = [`HTTP/1.1 ${status} -`, 'Connection: close', 'Content-Length: 0', ...headers]
    socket.end(`${head.join('\r\n')}\r\n\r\n`)
  })
}

function parseHit(bytes: Buffer): Hit | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [line = '', ...fields] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const headers: Record<string, string> = {}
  for (const field of fields) {
    const colon = field.indexOf(':')
    headers[field.slice(0, colon).toLowerCase()] = field.slice(colon + 1).trim()
  }
  const body = bytes.subarray(end + 4)
  if (body.length < Number(headers['content-length'] ?? 0)) return undefined
  const [method = '', target = ''] = line.split(' ')
  return { method, target, headers, body: body.toString('utf8') }
}

function createQueue<T>() {
  const items: T[] = []
  const waiting: ((item: T) => void)[] = []
  return {
    push: (item: T) => {
      const taker = waiting.shift()
      if (taker === undefined) items.push(item)
      else taker(item)
    },
    shift: (): Promise<T> => {
      const item = items.shift()
      if (item !== undefined) return Promise.resolve(item)
      return new Promise(resolve => waiting.push(resolve))
    },
  }
}

/** The id of the message a hit with a JSON body is about. */
export function messageOf(hit: Hit): string {
  return (JSON.parse(hit.body) as { message: { id: string } }).message.id
}
