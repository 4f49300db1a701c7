import type { Socket } from 'node:net'
import { TcpProxy } from './tcp-proxy.js'

export type RequestKind =
  | ('oauth' | 'create' | 'create-batch' | 'next' | 'report' | 'received' | 'webhook' | 'other')
  /** A report with releases. */
  | 'release'
  /** Receipts. */
  | 'delivery'

/**
 * Where a connection is cut: before the request is forwarded, before the reply, or in the middle of
 * the reply. `late` only delays the reply.
 */
export type Cut = 'before' | 'after' | 'within' | 'late'

/** Milliseconds. */
const lateDelay = 400

/** Passes requests on to the relay, and cuts connections at chosen ones. */
export class CuttingProxy extends TcpProxy {
  /** Chooses the cut of each request. @default never */
  decide: (kind: RequestKind) => Cut | undefined = () => undefined

  protected override forward(client: Socket, upstream: Socket, cut: () => void): void {
    let plan: Cut | undefined
    client.on('data', (data: Buffer) => {
      const kind = parseRequestKind(data)
      if (kind !== undefined) plan = this.decide(kind)
      if (plan === 'before') cut()
      else upstream.write(data)
    })
    upstream.on('data', (data: Buffer) => {
      if (plan === undefined) client.write(data)
      else if (plan === 'late') setTimeout(() => client.write(data), lateDelay)
      else if (plan === 'within') client.end(data.subarray(0, data.length >> 1), cut)
      else cut()
    })
  }
}

/** The kind of the request that starts in this data; undefined if none starts. */
function parseRequestKind(data: Buffer): RequestKind | undefined {
  const line = /^([A-Z]+) (\/\S*) HTTP\/1\.1\r\n/.exec(data.toString('latin1', 0, 2000))
  if (line === null) return undefined
  const [, method = '', path = ''] = line
  if (path.startsWith('/oauth')) return 'oauth'
  if (path.startsWith('/webhook/')) return 'webhook'
  if (path === '/api/1/message/received' && method === 'POST') return 'received'
  if (path === '/api/1/message/report') {
    return data.includes('"release":true') ? 'release' : 'report'
  }
  if (path === '/api/1/message/delivery') return 'delivery'
  if (path === '/api/1/message/batch') return 'create-batch'
  if (path !== '/api/1/message') return 'other'
  return method === 'POST' ? 'create' : method === 'NEXT' ? 'next' : 'other'
}
