import { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import type { CrashTrigger } from './crash-point.js'

type Write = (this: Socket, chunk: unknown, ...rest: unknown[]) => boolean

/** `expect` gets data that has become durable. */
export interface SocketWatch {
  expect(durable: string): void
}

/** Ends the process before or after the system accepts the request or reply of its crash point. */
export function watchSockets(trigger: CrashTrigger, die: () => never): SocketWatch {
  const expected = new Set<string>()
  const { act } = trigger.point
  const original: Write = Duplex.prototype.write as Write
  const write: Write = function (chunk, ...rest) {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk as Uint8Array).toString()
    const when = isServerSide(this) ? onReply(text) : trigger.countAct('request', '', text)
    if (when === undefined) return original.call(this, chunk, ...rest)
    if (when === 'before') die()
    return original.call(this, chunk, getEncoding(rest), () => die())
  }
  const onReply = (text: string): string | undefined => {
    const id = [...expected].find(each => text.includes(each))
    if (id === undefined) return undefined
    expected.delete(id)
    return trigger.countReply()
  }
  Socket.prototype.write = write as Socket['write']
  return {
    expect: text => {
      if (act === 'reply') for (const id of trigger.findIds(text)) expected.add(id)
    },
  }
}

/** Whether this is the relay's end of a connection. */
function isServerSide(socket: Socket): boolean {
  return 'server' in socket && socket.server !== undefined && socket.server !== null
}

function getEncoding(rest: readonly unknown[]): string | undefined {
  return typeof rest[0] === 'string' ? rest[0] : undefined
}
