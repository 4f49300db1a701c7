import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

export type RequestKind =
  | ('oauth' | 'create' | 'create-batch' | 'next' | 'report' | 'received' | 'webhook' | 'other')
  /** A report with releases. */
  | 'release'
  /** The single steps of a phone at a relay that knows no batches. */
  | ('success' | 'failure')
  /** Receipts. */
  | 'delivery'

/**
 * Where a connection is cut: before the request is forwarded, before the reply, or in the middle of
 * the reply. `late` only delays the reply.
 */
export type Cut = 'before' | 'after' | 'within' | 'late'

/** Milliseconds. */
const lateDelay = 400

/** A proxy on loopback that can cut connections, and whose target can change or be down. */
export class CuttingProxy {
  /** Port of the target; undefined while it is down. */
  target: number | undefined
  /** Chooses the cut of each request. @default never */
  decide: (kind: RequestKind) => Cut | undefined = () => undefined
  /** Whether the relay appears to be one of an older version, which knows no batches. */
  hidesBatches = false
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  constructor() {
    this.#server = createServer(socket => this.#join(socket))
  }

  /** Resolves to its port. */
  async start(): Promise<number> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return (this.#server.address() as AddressInfo).port
  }

  /** Closes the server and every connection. */
  async stop(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  #join(client: Socket): void {
    this.#track(client)
    if (this.target === undefined) {
      client.destroy()
      return
    }
    const upstream = connect(this.target, '127.0.0.1')
    this.#track(upstream)
    const cut = (): void => {
      client.destroy()
      upstream.destroy()
    }
    let plan: Cut | undefined
    client.on('data', (data: Buffer) => {
      const kind = parseRequestKind(data)
      if (kind !== undefined) plan = this.decide(kind)
      if (plan === 'before') cut()
      else upstream.write(this.hidesBatches ? hideBatches(data) : data)
    })
    upstream.on('data', (data: Buffer) => {
      if (plan === undefined) client.write(data)
      else if (plan === 'late') setTimeout(() => client.write(data), lateDelay)
      else if (plan === 'within') client.end(data.subarray(0, data.length >> 1), cut)
      else cut()
    })
    for (const socket of [client, upstream]) socket.once('close', cut)
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => this.#sockets.delete(socket))
    socket.setNoDelay()
  }
}

/**
 * Changes a request of a phone so that the relay answers as one that knows neither the preference
 * `batch` nor the path of reports. The length stays the same.
 */
function hideBatches(data: Buffer): Buffer {
  const text = data
    .toString('latin1')
    .replace(/^(NEXT .*\r\nprefer: [^\r]*)batch=/is, '$1older=')
    .replace(/^POST \/api\/1\/message\/report /, 'POST /api/1/message/absent ')
  return Buffer.from(text, 'latin1')
}

/** The kind of the request that starts in this data; undefined if none starts. */
function parseRequestKind(data: Buffer): RequestKind | undefined {
  const line = /^([A-Z]+) (\/\S*) HTTP\/1\.1\r\n/.exec(data.toString('latin1', 0, 2000))
  if (line === null) return undefined
  const [, method = '', path = ''] = line
  if (path.startsWith('/oauth')) return 'oauth'
  if (path.startsWith('/webhook/')) return 'webhook'
  if (path === '/api/1/message/received' && method === 'POST') return 'received'
  if (path.endsWith('/success')) return 'success'
  if (path.endsWith('/failure')) return 'failure'
  if (path === '/api/1/message/report') {
    return data.includes('"release":true') ? 'release' : 'report'
  }
  if (path === '/api/1/message/delivery') return 'delivery'
  if (path === '/api/1/message/batch') return 'create-batch'
  if (path !== '/api/1/message') return 'other'
  return method === 'POST' ? 'create' : method === 'NEXT' ? 'next' : 'other'
}
