import { createServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A received request; names of header fields are in lower case. */
export interface Webhook {
  method: string
  target: string
  headers: Record<string, string>
  body: string
}

export interface Receiver {
  url: string
  /** Resolves to the next webhook in the order of arrival. */
  next: () => Promise<Webhook>
}

export interface Answer {
  status: number
  headers?: string[]
}

/**
 * Opens a server for webhooks that accepts any method and returns each request unchanged. node:http
 * rejects unknown methods.
 */
export async function openReceiver(
  answer: (webhook: Webhook, nth: number) => Answer = () => ({ status: 204 }),
): Promise<Receiver> {
  const queue = createQueue<Webhook>()
  let count = 0
  const server = createServer(socket =>
    readRequest(socket, webhook => {
      count += 1
      queue.push(webhook)
      return answer(webhook, count)
    }),
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => close(server))
  return { url: `http://127.0.0.1:${getPort(server)}`, next: queue.shift }
}

function getPort(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port.')
  return address.port
}

function close(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve())
  })
}

function readRequest(socket: Socket, receive: (webhook: Webhook) => Answer): void {
  let bytes = Buffer.alloc(0)
  let answered = false
  socket.on('error', () => socket.destroy())
  socket.on('data', chunk => {
    bytes = Buffer.concat([bytes, chunk])
    const webhook = parseWebhook(bytes)
    if (webhook === undefined || answered) return
    answered = true
    const { status, headers = [] } = receive(webhook)
    const head = [`HTTP/1.1 ${status} -`, 'Connection: close', 'Content-Length: 0', ...headers]
    socket.end(`${head.join('\r\n')}\r\n\r\n`)
  })
}

function parseWebhook(bytes: Buffer): Webhook | undefined {
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
      const resolve = waiting.shift()
      if (resolve === undefined) items.push(item)
      else resolve(item)
    },
    shift: (): Promise<T> => {
      const item = items.shift()
      if (item !== undefined) return Promise.resolve(item)
      return new Promise(resolve => waiting.push(resolve))
    },
  }
}

/** Returns the message id in the JSON body of a webhook. */
export function getMessageId(webhook: Webhook): string {
  return (JSON.parse(webhook.body) as { message: { id: string } }).message.id
}
