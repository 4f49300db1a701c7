import { STATUS_CODES, validateHeaderValue } from 'node:http'
import { httpDate } from './http-date.js'
import { type Json, jsonBody, jsonType } from './json-body.js'

/** Sends the bytes of a reply: in one or two pieces, the first as latin1 or UTF-8. */
export type SendReply = (head: string, encoding: BufferEncoding, rest?: Buffer) => void

/** A reply that is put together and sent as a whole (RFC 9112 section 4). */
export class WholeReply {
  readonly #send: SendReply
  readonly #ending: () => string
  #fields = ''
  #sent = false

  /** @param ending the fields that tell how the connection goes on, with their line ends */
  constructor(send: SendReply, ending: () => string) {
    this.#send = send
    this.#ending = ending
  }

  /** Whether it is on its way. */
  get headersSent(): boolean {
    return this.#sent
  }

  /** Adds a field; a name may be given once. Throws `TypeError` for a value that is none. */
  setHeader(name: string, value: string): void {
    validateHeaderValue(name, value)
    this.#fields += `${name}: ${value}\r\n`
  }

  /** Sends a JSON body with its length. */
  sendJson(status: number, json: Json): void {
    this.#sent = true
    const { length, content, encoding } = jsonBody(json)
    const head =
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${this.#fields}` +
      `Content-Type: ${jsonType}\r\nContent-Length: ${length}\r\n` +
      `Date: ${httpDate()}\r\n${this.#ending()}\r\n`
    if (typeof content === 'string') this.#send(head + content, encoding)
    else this.#send(head, 'latin1', content)
  }
}
