import { connect, type Socket } from 'node:net'

/** Called with each whole reply; with its body only on request. */
export type OnReply = (status: number, body: Buffer | undefined, raw: () => string) => void

const headEnd = Buffer.from('\r\n\r\n')
const lengthField = /\r\ncontent-length: *(\d+)/i
const bufferSize = 128 * 1024

/**
 * One keep-alive HTTP/1.1 connection with the least processor time, so that the server is measured:
 * one buffer for all reads; only status and length are parsed. Replies need a Content-Length.
 */
export class Connection {
  readonly #socket: Socket
  readonly #onReply: OnReply
  readonly #readsBody: boolean
  #held: Buffer | undefined
  /** Bytes of an unread body that are left. */
  #left = 0
  #status = 0

  private constructor(
    port: number,
    readsBody: boolean,
    onReply: OnReply,
    onEnd: (why: string) => void,
  ) {
    this.#readsBody = readsBody
    this.#onReply = onReply
    const buffer = Buffer.allocUnsafeSlow(bufferSize)
    const callback = (size: number): boolean => {
      this.#take(buffer.subarray(0, size))
      return true
    }
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer, callback } })
    this.#socket.on('error', error => onEnd(error.message))
    this.#socket.on('close', () => onEnd('The server closed a connection.'))
  }

  /** Connects to a port of this machine. */
  static async open(
    port: number,
    readsBody: boolean,
    onReply: OnReply,
    onEnd: (why: string) => void,
  ): Promise<Connection> {
    return await new Promise((resolve, reject) => {
      let open = false
      const connection = new Connection(port, readsBody, onReply, why => {
        if (open) onEnd(why)
        else reject(new Error(why))
      })
      connection.#socket.once('connect', () => {
        open = true
        resolve(connection)
      })
    })
  }

  send(bytes: string): void {
    this.#socket.write(bytes, 'latin1')
  }

  destroy(): void {
    this.#socket.destroy()
  }

  #take(chunk: Buffer): void {
    if (this.#left > 0) {
      this.#left -= chunk.length
      if (this.#left <= 0) this.#onReply(this.#status, undefined, () => '')
      return
    }
    const data = this.#held === undefined ? chunk : Buffer.concat([this.#held, chunk])
    this.#held = undefined
    const end = data.indexOf(headEnd)
    if (end === -1) this.#held = Buffer.from(data)
    else this.#reply(data, data.toString('latin1', 0, end), end + headEnd.length)
  }

  #reply(data: Buffer, head: string, from: number): void {
    const status = Number(head.slice(9, 12))
    const length = lengthField.exec(head)?.[1]
    if (length === undefined) throw new Error(`A reply has no length:\n${head}`)
    const to = from + Number(length)
    if (data.length >= to) {
      const body = this.#readsBody ? data.subarray(from, to) : undefined
      this.#onReply(status, body, () => data.toString('utf8', 0, to))
    } else if (this.#readsBody || status !== 200) this.#held = Buffer.from(data)
    else {
      this.#status = status
      this.#left = to - data.length
    }
  }
}
