import type {
  IncomingMessage,
  RequestListener,
  Server,
  ServerOptions,
  ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorReply } from '../../contract/user-schema.js'
import type { ConnectionLimits } from '../../domain/limits.js'
import type { FastConnection } from './http-connection.js'
import { jsonType } from './json-body.js'

/** The limits that node keeps itself; a waiting NEXT is a request whose end was seen, so none of them ends it. */
export function serverOptions(limits: ConnectionLimits): ServerOptions {
  return {
    headersTimeout: limits.headTimeout,
    requestTimeout: limits.requestTimeout,
    keepAliveTimeout: limits.idleTimeout,
    maxHeaderSize: limits.head,
    connectionsCheckingInterval: checkEvery(limits),
  }
}

/** A server whose replies can be looked through. */
export type ReplyingServer = Server & {
  readonly responses: ReadonlySet<ServerResponse>
  readonly fast: ReadonlyMap<Socket, FastConnection>
}

/** Keeps the number of connections, and the time a client takes to read a reply, within limits. */
export function limitConnections(
  server: ReplyingServer,
  limits: ConnectionLimits,
  now: () => number = () => performance.now(),
): void {
  server.maxConnections = limits.connections
  const since = new WeakMap<ServerResponse, number>()
  const check = (): void => {
    for (const response of server.responses) {
      if (!isStuck(response)) continue
      const began = since.get(response) ?? now()
      since.set(response, began)
      if (now() - began >= limits.replyTimeout) response.socket?.destroy()
    }
    for (const connection of server.fast.values()) connection.cutOffStuck(now())
  }
  let timer: NodeJS.Timeout | undefined
  server.on('listening', () => {
    timer = setInterval(check, checkEvery(limits)).unref()
  })
  server.on('close', () => clearInterval(timer))
}

/** The replies that each connection still owes, that to the request in hand among them. */
export type Owed = ReadonlyMap<Socket, Set<ServerResponse>>

/**
 * Keeps what each connection owes, and hands requests on until one has too many in hand: that one gets 429, and is
 * closed. One listener for both: a second one costs each request as much as all it does.
 */
export function limitPipelining(
  handler: RequestListener,
  most: number,
  owed: Owed,
): RequestListener {
  // After the one that was refused nothing more is answered, so nothing more may be done.
  const refused = new WeakSet<Socket>()
  return (request: IncomingMessage, response) => {
    const { socket } = request
    const owing = owed.get(socket)
    owing?.add(response)
    response.on('close', () => owing?.delete(response))
    if ((owing?.size ?? 0) <= most && !refused.has(socket)) {
      handler(request, response)
      return
    }
    refused.add(socket)
    refuse(response, most)
  }
}

/** Whether a reply is finished, first in the line of its connection, and not taken by the client. */
function isStuck({ writableEnded, writableFinished, socket }: ServerResponse): boolean {
  return writableEnded && !writableFinished && socket !== null && socket.writableLength > 0
}

function checkEvery({ headTimeout, replyTimeout, requestTimeout }: ConnectionLimits): number {
  return Math.min(1000, headTimeout, replyTimeout, requestTimeout)
}

function refuse(response: ServerResponse, most: number): void {
  const body: ErrorReply = {
    error: 'too_many_requests',
    error_description: `A connection may have ${most} requests in hand; wait for replies before sending more.`,
  }
  response.writeHead(429, {
    'Content-Type': jsonType,
    'Retry-After': '1',
    Connection: 'close',
  })
  response.end(JSON.stringify(body))
}
