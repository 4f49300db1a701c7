import { once } from 'node:events'
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Express } from 'express'
import { RelayError } from '../errors.js'
import { acceptAnyMethod } from './any-method.js'

/** Where to listen. */
export interface Address {
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
}

/**
 * A server for an Express app that takes any request method. Requests and responses are born with the
 * app's prototypes: Express would otherwise change them on each request, which costs most of its speed.
 */
export function createHttpServer(app: Express): Server {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  Object.setPrototypeOf(AppRequest.prototype, app.request)
  Object.setPrototypeOf(AppResponse.prototype, app.response)
  app.request = AppRequest.prototype as Express['request']
  app.response = AppResponse.prototype as unknown as Express['response']
  const options = { IncomingMessage: AppRequest, ServerResponse: AppResponse }
  const server = createServer(options, app)
  acceptAnyMethod(server)
  return server
}

/** Listens; resolves to the port. Throws `configuration` for an address that cannot be had. */
export async function listen(server: Server, { host, port }: Address): Promise<number> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw toSentence(error as NodeJS.ErrnoException, host, port)
  }
  return (server.address() as AddressInfo).port
}

/** Stops listening, and waits for the requests in hand; after `grace` milliseconds they are cut off. */
export async function close(server: Server, grace: number): Promise<void> {
  const closed = new Promise<void>(resolve => server.close(() => resolve()))
  const timer = setTimeout(() => server.closeAllConnections(), grace)
  await closed
  clearTimeout(timer)
}

function toSentence(error: NodeJS.ErrnoException, host: string, port: number): RelayError {
  const where = `${host}:${port}`
  switch (error.code) {
    case 'EADDRINUSE':
      return new RelayError('configuration', `Another program is listening on ${where}.`, {
        hint: 'Choose another port with --port, or 0 for a free one.',
      })
    case 'EACCES':
      return new RelayError('configuration', `This user may not listen on ${where}.`, {
        hint: 'Choose a port above 1023 with --port.',
      })
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new RelayError('configuration', `${host} is not an address of this machine.`, {
        hint: 'Choose another with --host, such as 127.0.0.1, or 0.0.0.0 for all.',
      })
    default:
      return new RelayError('configuration', `Cannot listen on ${where}: ${error.message}.`)
  }
}
