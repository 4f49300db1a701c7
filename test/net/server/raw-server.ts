import { once } from 'node:events'
import type http from 'node:http'
import net from 'node:net'
import { onTestFinished } from 'vitest'
import { acceptAnyMethod } from '../../../src/net/server/any-method.js'

export interface Seen {
  method: string | undefined
  url: string | undefined
  rawHeaders: string[]
  headers: http.IncomingHttpHeaders
  distinct: NodeJS.Dict<string[]>
  body: string
  trailers: string[]
}

/** A handler that notes what it saw, and answers with the method's and the body's length. */
export function recorder(seen: Seen[]): http.RequestListener {
  return async (request, response) => {
    const { method, url, rawHeaders, headers, headersDistinct: distinct } = request
    const entry: Seen = { method, url, rawHeaders, headers, distinct, body: '', trailers: [] }
    seen.push(entry)
    request.setEncoding('latin1').on('data', piece => {
      entry.body += piece
    })
    request.on('error', () => {})
    await once(request, 'end').catch(() => {})
    entry.trailers = request.rawTrailers
    response.sendDate = false
    response.end(`${url} ${entry.body.length}`)
  }
}

/** A listening server that ends with the test. */
export async function listen(server: http.Server, any = true): Promise<number> {
  if (any) acceptAnyMethod(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as net.AddressInfo).port
}

/** Sends the pieces one after the other, each in a packet of its own, and reads to the end. */
export async function exchange(port: number, pieces: string[], halfClose = false): Promise<string> {
  const socket = net.connect({ port, host: '127.0.0.1', noDelay: true })
  let reply = ''
  socket.setEncoding('latin1').on('data', (text: string) => {
    reply += text
  })
  socket.on('error', () => {})
  // Not `once`: a run that the fuzz test gives up at its time limit may end with an error that nobody waits for.
  const closed = new Promise<void>(resolve => socket.once('close', () => resolve()))
  await Promise.race([closed, new Promise<void>(resolve => socket.once('connect', resolve))])
  for (const piece of pieces) {
    await new Promise(done => socket.write(piece, 'latin1', done))
    await new Promise(setImmediate)
  }
  if (halfClose) socket.end()
  await closed
  return reply
}
