import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { connectionLimits } from '../../src/net/server/connection-limits.js'
import { HttpConnection, type RequestHandler } from '../../src/net/server/http-connection.js'
import { LongReplies } from '../../src/net/server/long-replies.js'
import { sendPlainRefusal } from '../../src/net/server/request-tracker.js'
import { UnfinishedBodies } from '../../src/net/server/unfinished-bodies.js'
import { Metrics } from '../../src/util/collections/metrics.js'
import type { Framing } from './framing.js'
import type { RequestStream } from './request-stream.js'

const maxTurns = 200
const maxBody = 1024 * 1024

/**
 * Sends a stream through a connection of our server, then the end of the client. Each accepted
 * request must get one reply, in order, an error one more, and then the connection must end.
 * Resolves to what is wrong; undefined if nothing is.
 */
export async function checkConnection(
  stream: RequestStream,
  framing: Framing,
  maxHead: number,
): Promise<string | undefined> {
  const socket = new FakeSocket()
  const limits = { ...connectionLimits, head: maxHead }
  const metrics = new Metrics()
  const longReplies = new LongReplies(limits.unread, metrics)
  const unfinishedBodies = new UnfinishedBodies(limits, metrics)
  const server = { limits, longReplies, keepAliveFields: '', sendRefusal: sendPlainRefusal }
  const bodies = { unfinishedBodies, getClient: () => '' }
  const options = { handler: describeRequest, ...server, ...bodies }
  new HttpConnection(socket as unknown as Socket, options)
  let from = 0
  for (const to of [...stream.cuts, stream.bytes.length]) {
    if (to > from) socket.emit('data', Buffer.from(stream.bytes.slice(from, to), 'latin1'))
    from = to
  }
  socket.emit('end')
  for (let turn = 0; turn < maxTurns && !socket.isEnded; turn += 1) await setImmediate()
  if (!socket.isEnded) return 'The connection does not end.'
  const replies = socket.written
    .replaceAll('HTTP/1.1 100 Continue\r\n\r\n', '')
    .split(/(?=HTTP\/1\.1 [2-5]\d\d )/)
    .filter(text => text !== '')
    .map(summarizeReply)
  const expected = framing.accepted.map(
    each => `200 ${each.method === 'HEAD' ? '' : describe(each)}`,
  )
  const last = framing.error ?? (framing.isIncomplete ? 400 : undefined)
  if (last !== undefined) expected.push(`${last}`)
  const isRight =
    replies.length === expected.length && replies.every((each, at) => each === expected[at])
  return isRight ? undefined : `The replies are ${replies}; expected ${expected}.`
}

/** Status and, of a success, body. */
function summarizeReply(reply: string): string {
  const status = reply.slice(9, 12)
  return status === '200' ? `200 ${reply.slice(reply.indexOf('\r\n\r\n') + 4)}` : status
}

function describe({
  method,
  target,
  body,
}: {
  method: string
  target: string
  body: string
}): string {
  return `${method} ${target.length} ${body.length}`
}

const describeRequest: RequestHandler = (request, response) => {
  const { method, url: target } = request
  request.readBody(maxBody).then(
    bytes => {
      const body = bytes?.toString('latin1') ?? ''
      response.send(200, {}, describe({ method, target, body }))
    },
    () => response.destroy(),
  )
}

/** As much of a socket as a connection needs; it takes everything that is written. */
class FakeSocket extends EventEmitter {
  readonly remoteAddress = '127.0.0.1'
  readonly writableNeedDrain = false
  readonly writableLength = 0
  written = ''
  isEnded = false

  get writable(): boolean {
    return !this.isEnded
  }

  get destroyed(): boolean {
    return this.isEnded
  }

  write(bytes: string | Buffer): boolean {
    this.written += typeof bytes === 'string' ? bytes : bytes.toString('latin1')
    return true
  }

  end(): void {
    this.isEnded = true
  }

  destroy(): void {
    this.isEnded = true
  }

  destroySoon(): void {
    this.isEnded = true
  }

  isPaused(): boolean {
    return false
  }

  resume(): void {}
}
