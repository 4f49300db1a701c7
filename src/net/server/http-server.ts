import { once } from 'node:events'
import { type RequestListener, Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type ConnectionLimits, connectionLimits } from '../../domain/limits.js'
import { acceptAnyMethod } from './any-method.js'
import { takeFastPath } from './fast-path.js'
import type { AnswerWhole, FastConnection } from './http-connection.js'
import { limitConnections, limitPipelining, serverOptions } from './limits.js'
import { listenError } from './listen-error.js'
import { RelayRequest } from './routed-request.js'

/** Where to listen. */
export interface Address {
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
}

/** What answers the requests of a server of ours. */
export type RequestHandler = (request: RelayRequest, response: ServerResponse) => void

/** A server that knows what it has in hand, so that it can end soon without cutting anything off. */
export class HttpServer extends Server {
  /** The open connections, each with the replies it still owes. */
  readonly owed = new Map<Socket, Set<ServerResponse>>()

  /** The connections that were not handed over to node's HTTP. */
  fast: ReadonlyMap<Socket, FastConnection> = new Map()

  /** Every reply that is owed. */
  get responses(): ReadonlySet<ServerResponse> {
    return new Set([...this.owed.values()].flatMap(responses => [...responses]))
  }

  override closeIdleConnections(): void {
    super.closeIdleConnections()
    for (const connection of this.fast.values()) connection.closeIdle()
  }

  override closeAllConnections(): void {
    super.closeAllConnections()
    for (const socket of this.fast.keys()) socket.destroy()
  }

  /** Lets every connection end with the reply in hand; those that never asked anything end now. */
  drain(): void {
    for (const connection of this.fast.values()) connection.drain()
    this.prependListener('request', (_request, response) => lastOnItsConnection(response))
    for (const [socket, responses] of this.owed) {
      for (const response of responses) lastOnItsConnection(response)
      if (socket.bytesRead === 0) socket.destroy()
    }
  }
}

/**
 * A server that takes any request method.
 *
 * @param answer answers what comes whole on the fast path
 */
export function createHttpServer(
  handler: RequestHandler,
  limits: ConnectionLimits = connectionLimits,
  answer?: AnswerWhole,
): HttpServer {
  const server = new HttpServer({ ...serverOptions(limits), IncomingMessage: RelayRequest })
  server.on('request', limitPipelining(handler as RequestListener, limits.pipelined, server.owed))
  acceptAnyMethod(server)
  follow(server)
  limitConnections(server, limits)
  if (answer !== undefined) server.fast = takeFastPath(server, answer, limits)
  return server
}

/** Listens; resolves to the port. Throws `configuration` for an address that cannot be had. */
export async function listen(server: Server, { host, port }: Address): Promise<number> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw listenError(error as NodeJS.ErrnoException, { host, port })
  }
  return (server.address() as AddressInfo).port
}

/** Stops listening, and waits for the requests in hand; after `grace` milliseconds they are cut off. */
export async function close(server: HttpServer, grace: number): Promise<void> {
  const closed = new Promise<void>(resolve => server.close(() => resolve()))
  server.drain()
  const timer = setTimeout(() => server.closeAllConnections(), grace)
  await closed
  clearTimeout(timer)
}

function follow(server: HttpServer): void {
  server.on('connection', socket => {
    socket.setMaxListeners(0)
    server.owed.set(socket, new Set())
    socket.once('close', () => server.owed.delete(socket))
  })
}

function lastOnItsConnection(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close')
}
