import { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import type { Trigger } from './point.js'

type Write = (this: Socket, chunk: unknown, ...rest: unknown[]) => boolean

/** Watches the replies of this process. */
export interface SocketWatch {
  expect(durable: string): void
}

/** Ends the process before or after it sends the request or reply of its point. */
export function watchSockets(trigger: Trigger, die: () => never): SocketWatch {
  const expected = new Set<string>()
  const { act } = trigger.point
  const original: Write = Duplex.prototype.write as Write
  const write: Write = function (chunk, ...rest) {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk as Uint8Array).toString()
    const when = isServed(this) ? onReply(text) : trigger.on('request', '', text)
    if (when === undefined) return original.call(this, chunk, ...rest)
    if (when === 'before') die()
    return original.call(this, chunk, encodingIn(rest), () => die())
  }
  const onReply = (text: string): string | undefined => {
    const id = [...expected].find(each => text.includes(each))
    if (id === undefined) return undefined
    expected.delete(id)
    return trigger.onReply()
  }
  Socket.prototype.write = write as Socket['write']
  return {
    expect: text => {
      if (act === 'reply') for (const id of trigger.idsIn(text)) expected.add(id)
    },
  }
}

/** Whether a socket is the server's end of a connection. */
function isServed(socket: Socket): boolean {
  return 'server' in socket && socket.server !== undefined && socket.server !== null
}

function encodingIn(rest: readonly unknown[]): string | undefined {
  return typeof rest[0] === 'string' ? rest[0] : undefined
}
