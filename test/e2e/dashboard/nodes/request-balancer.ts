import { once } from 'node:events'
import {
  Agent,
  createServer,
  type IncomingMessage,
  type ServerResponse,
  request as sendRequest,
} from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy that sends each request to another node than the one before, also of one connection. */
export interface RequestBalancer {
  readonly url: string
  /** The port of the node that got the latest request with this start of `METHOD /path`. */
  getTarget(request: string): number | undefined
  stop(): Promise<void>
}

/**
 * Starts a balancer. Like the proxy of the guide, it passes a request to the next node if one does
 * not accept the connection, and repeats none that a node may have read.
 */
export async function startRequestBalancer(ports: readonly number[]): Promise<RequestBalancer> {
  const agent = new Agent({ keepAlive: false })
  const targets = new Map<string, number>()
  let turn = 0
  const server = createServer((request, response) => {
    turn += 1
    const others = [...ports.slice(turn % ports.length), ...ports.slice(0, turn % ports.length)]
    pass(request, response, others)
  })

  function pass(
    request: IncomingMessage,
    response: ServerResponse,
    [port, ...others]: readonly number[],
  ): void {
    if (port === undefined) return void response.writeHead(503).end('No node is ready.')
    const { method, url: path, headers } = request
    const upstream = sendRequest({ host: '127.0.0.1', port, method, path, headers, agent })
    upstream.on('error', error => {
      if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') {
        return pass(request, response, others)
      }
      if (response.headersSent) response.destroy()
      else response.writeHead(502).end('The node ended.')
    })
    upstream.on('socket', socket => {
      socket.once('connect', () => {
        targets.set(`${method} ${path}`, port)
        request.pipe(upstream)
      })
    })
    upstream.on('response', reply => {
      response.writeHead(reply.statusCode ?? 502, reply.rawHeaders)
      response.flushHeaders()
      reply.on('error', () => response.destroy())
      reply.pipe(response)
    })
    response.on('close', () => upstream.destroy())
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    getTarget: start => [...targets].findLast(([text]) => text.startsWith(start))?.[1],
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      agent.destroy()
    },
  }
}
