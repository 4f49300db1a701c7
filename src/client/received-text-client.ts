import {
  type ReceivedTextFields,
  type ReceivedTextReport,
  receivedTextListReply,
  receivedTextReply,
} from '../contract/received-text-schema.js'
import type { ReceivedSelection } from '../domain/phone/received-mms.js'
import { addIdempotencyKey, type CallOptions, type IdempotentOptions } from './call-options.js'
import type { Transport } from './transport.js'

/** The page of received texts that the client asks for. */
export interface ReceivedTextSelection {
  /** Most received texts that the client asks for, 1 to 100. @default 50 */
  readonly count?: number | undefined
  /** The client asks only for received texts before the one with this identifier. */
  readonly before?: string | undefined
  /** `all` also asks for MMS that wait at the operator. @default text */
  readonly kind?: ReceivedSelection | undefined
}

const path = '/message/received'

/** Texts that phones have received, one method a route (extension). */
export class ReceivedTextClient {
  readonly #transport: Transport
  readonly #phone: string | undefined

  /** @param phone name of the phone in reports of received texts that have none */
  constructor(transport: Transport, phone: string | undefined) {
    this.#transport = transport
    this.#phone = phone
  }

  /** POST /message/received: reports a text that the client's phone has received. */
  async report(
    report: ReceivedTextReport,
    options: IdempotentOptions = {},
  ): Promise<ReceivedTextFields> {
    const phone = report.phone ?? this.#phone
    const json = { ...report, ...(phone === undefined ? {} : { phone }) }
    const call = { json, repeatable: true, ...addIdempotencyKey(options) }
    return (await this.#transport.call('POST', path, receivedTextReply, call)).received
  }

  /** GET /message/received: a page of the received texts, the newest first. */
  async list(
    { count, before, kind }: ReceivedTextSelection = {},
    options: CallOptions = {},
  ): Promise<ReceivedTextFields[]> {
    const query = {
      ...(count === undefined ? {} : { count: String(count) }),
      ...(before === undefined ? {} : { before }),
      ...(kind === undefined ? {} : { kind }),
    }
    const call = { query, ...options }
    const reply = await this.#transport.call('GET', path, receivedTextListReply, call)
    return reply.received.map(each => each.received)
  }

  /** GET /message/received/<id>. Throws `not_found`. */
  async get(id: string, options: CallOptions = {}): Promise<ReceivedTextFields> {
    const one = `${path}/${encodeURIComponent(id)}`
    return (await this.#transport.call('GET', one, receivedTextReply, options)).received
  }
}
