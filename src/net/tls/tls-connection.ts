import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { WatchedCertificate } from './tls-certificate.js'

/**
 * Starts TLS on a new connection. The handshake takes place while the connection waits for its
 * first request, and has the time of that request's head. Its errors only close the connection.
 */
export function startTls(socket: Socket, { current }: WatchedCertificate): Socket {
  const { context: secureContext } = current
  return new TLSSocket(socket, { isServer: true, secureContext, ALPNProtocols: ['http/1.1'] })
}

export function isInHandshake(socket: Socket): boolean {
  return socket instanceof TLSSocket && socket.getPeerFinished() === undefined
}
