import { randomBytes } from 'node:crypto'
import { IncomingMessage, METHODS, maxHeaderSize, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { MethodRewriter } from './method-rewriter.js'

/**
 * Teaches `server` any request method of up to 16 token characters (RFC 9110 section 9.1), which
 * node's parser refuses otherwise; call it before the server gets connections.
 *
 * @example
 * const server = http.createServer((request, response) => response.end(request.method))
 * acceptAnyMethod(server)
 *
 * @param now Milliseconds of a clock that only goes forward.
 */
export function acceptAnyMethod(server: Server, now: () => number = () => performance.now()): void {
  const secret = randomBytes(16).toString('hex')
  const known = new Set(METHODS)
  server.on('connection', socket => {
    const longestLine = headerLimit(server)
    rewriteMethods(server, socket, new MethodRewriter({ known, secret, longestLine }), now)
  })
  restoreMethods(server, secret)
}

type DataListener = (this: Socket, chunk: Buffer) => void

function headerLimit(server: Server & { maxHeaderSize?: number | undefined }): number {
  return server.maxHeaderSize || maxHeaderSize
}

/**
 * Puts `rewriter` in front of the listener through which http reads `socket`. Adding a 'data'
 * listener also makes http stop reading from the handle behind the stream's back.
 */
function rewriteMethods(
  server: Server,
  socket: Socket,
  rewriter: MethodRewriter,
  now: () => number,
): void {
  const [parse] = socket.listeners('data') as DataListener[]
  if (parse === undefined) return
  const isLate = holdTimer(server, now)
  const hand = (bytes: Buffer | undefined) => {
    if (bytes !== undefined) parse.call(socket, bytes)
  }
  const listener = (chunk: Buffer) => {
    const bytes = rewriter.feed(chunk)
    hand(isLate(bytes === undefined) ? rewriter.release() : bytes)
  }
  socket.prependListener('data', listener)
  socket.removeListener('data', parse)
  // http takes its listener away when a connection is upgraded: this makes it find ours instead.
  Object.assign(listener, { listener: parse })
  socket.prependListener('end', () => hand(rewriter.release()))
}

/** A request line held back is not seen by node's own headersTimeout. */
function holdTimer(server: Server, now: () => number): (holding: boolean) => boolean {
  let since: number | undefined
  return holding => {
    since = holding ? (since ?? now()) : undefined
    if (since === undefined || server.headersTimeout === 0) return false
    return now() - since > server.headersTimeout
  }
}

function restoreMethods(server: Server, secret: string): void {
  const emit = server.emit as (...args: unknown[]) => boolean
  server.emit = (...args: unknown[]) => {
    const request = args[1]
    if (request instanceof IncomingMessage) restoreMethod(request, secret)
    return emit.apply(server, args)
  }
}

/** Both header objects are read once while `rawHeaders` is whole: they count its entries. */
function restoreMethod(request: IncomingMessage, secret: string): void {
  const [name, method] = request.rawHeaders
  if (name !== secret || method === undefined) return
  delete request.headers[secret]
  delete request.headersDistinct[secret]
  request.rawHeaders.splice(0, 2)
  request.method = method
}
