import { once } from 'node:events'
import { connect } from 'node:net'
import { onTestFinished } from 'vitest'

/** A plain TCP connection to a server, and what it received. It ends with the test. */
export async function openConnection(port: number, { allowHalfOpen = false } = {}) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen })
  onTestFinished(() => {
    socket.destroy()
  })
  let received = ''
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text
  })
  socket.on('error', () => {})
  const closed = once(socket, 'close')
  await once(socket, 'connect')
  const write = (bytes: string | Buffer) =>
    new Promise<void>(resolve => {
      const onWritten = () => resolve()
      if (typeof bytes === 'string') socket.write(bytes, 'latin1', onWritten)
      else socket.write(bytes, onWritten)
    })
  /** Resolves to the replies once there are `count` whole ones, or the connection is closed. */
  const replies = async (count: number): Promise<string[]> => {
    for (;;) {
      const found = splitReplies(received).filter(isWhole)
      if (found.length >= count || socket.destroyed) return found
      await Promise.race([once(socket, 'data'), closed])
    }
  }
  return { socket, write, replies, closed, received: () => received }
}

/** Splits received bytes where a status line begins. */
export function splitReplies(received: string): string[] {
  return received.split(/(?=HTTP\/1\.1 \d{3} )/).filter(reply => reply !== '')
}

export function readStatuses(received: string): number[] {
  return splitReplies(received).map(reply => Number(reply.slice(9, 12)))
}

export function readBodies(replies: readonly string[]): string[] {
  return replies.map(reply => reply.slice(reply.indexOf('\r\n\r\n') + 4))
}

function isWhole(reply: string): boolean {
  const [head = '', body = ''] = reply.split('\r\n\r\n')
  const length = /^content-length: (\d+)$/im.exec(head)?.[1]
  return length !== undefined && body.length >= Number(length)
}
