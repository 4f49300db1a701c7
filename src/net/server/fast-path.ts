import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionLimits } from '../../domain/limits.js'
import { type AnswerWhole, FastConnection } from './http-connection.js'

/**
 * Puts a way of our own in front of a server's HTTP: it reads and answers requests that come whole, for a third of
 * what node's HTTP costs. Call it last: whoever listens for connections before is told of those alone that are handed
 * over.
 *
 * @returns the connections that were not handed over
 */
export function takeFastPath(
  server: Server,
  answer: AnswerWhole,
  limits: ConnectionLimits,
): ReadonlyMap<Socket, FastConnection> {
  const listeners = server.listeners('connection')
  const connections = new Map<Socket, FastConnection>()
  const handOver = (socket: Socket, read: Buffer): void => {
    connections.delete(socket)
    for (const listener of listeners) listener.call(server, socket)
    socket.emit('data', read)
  }
  const seconds = Math.floor(limits.idleTimeout / 1000)
  const keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${seconds}\r\n`
  const parts = { answer, limits, keepAlive, handOver }
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    connections.set(socket, new FastConnection(socket, parts))
    socket.once('close', () => connections.delete(socket))
  })
  return connections
}
