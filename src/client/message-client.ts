import type { ZodMiniType } from 'zod/mini'
import {
  type DeliveryReceiptFields,
  type DeliveryReportResult,
  deliveryReportReply,
} from '../contract/delivery-status-schema.js'
import {
  type BatchMessage,
  batchCreateReply,
  batchReportReply,
  type CreateResult,
  type MessageOutcome,
  nextReply,
  type ReportResult,
} from '../contract/message-batch-schema.js'
import {
  type FailureReport,
  findNextStart,
  type ListFilterInput,
  type MessageCreate,
  type MessageEdit,
  type MessageFields,
  messageIdReply,
  messageListReply,
  messageReply,
  type ReleaseReport,
} from '../contract/message-schema.js'
import { limits } from '../domain/limits.js'
import { isRelayError } from '../errors.js'
import {
  addIdempotencyKey,
  addIfMatch,
  type BatchOptions,
  type Call,
  type CallOptions,
  type CreateBatchOptions,
  type GetOptions,
  type IdempotentOptions,
  type MessagePage,
  type NextBatch,
  type NextOptions,
  type ReportOptions,
  type Tagged,
  type VersionOptions,
} from './call-options.js'
import type { Transport } from './transport.js'

/** The message resource, one method a route (docs/reference/interface.md 4.2). */
export class MessageClient {
  readonly #transport: Transport
  readonly #phoneHeaders: Readonly<Record<string, string>>
  /** The transport's `tokenCount` at the last batch: numbers of claims are those of one token. */
  #claimToken = 0

  /** Creates the client's message part. @param phoneHeaders fields that name the phone */
  constructor(transport: Transport, phoneHeaders: Readonly<Record<string, string>>) {
    this.#transport = transport
    this.#phoneHeaders = phoneHeaders
  }

  /** POST /message: creates a message; a lost reply is repeated without a second message. */
  async create(draft: MessageCreate, options: IdempotentOptions = {}): Promise<MessageFields> {
    const call = { json: { message: draft }, repeatable: true, ...addIdempotencyKey(options) }
    return (await this.#transport.call('POST', '/message', messageReply, call)).message
  }

  /** GET /message: the messages of one page of the list, as {@link listPage}. */
  async list(filter: ListFilterInput = {}, options: CallOptions = {}): Promise<MessageFields[]> {
    return (await this.listPage(filter, options)).messages
  }

  /** GET /message. Continues where the relay ended a page early to stay fast (extension). */
  async listPage(filter: ListFilterInput, options: CallOptions = {}): Promise<MessagePage> {
    const { count = limits.listDefault } = filter
    const messages: MessageFields[] = []
    for (let page = filter; ; ) {
      const call = { query: { filter: JSON.stringify(page) }, ...options }
      const reply = await this.#transport.call('GET', '/message', messageListReply, call)
      messages.push(...reply.messages.map(each => each.message))
      const start = findNextStart(reply.links?.next?.url)
      if (start === undefined || start <= (page.start ?? 0)) return { messages, next: undefined }
      if (messages.length >= count) return { messages, next: start }
      page = { ...filter, start, count: count - messages.length }
    }
  }

  /** NEXT /message: leases the next due message to this token, if there is one. */
  async next({ wait = 0, signal }: NextOptions = {}): Promise<MessageFields | undefined> {
    const headers = { ...this.#phoneHeaders, ...(wait > 0 ? { prefer: `wait=${wait}` } : {}) }
    return (await this.#next(messageReply, { headers, signal }, wait))?.message
  }

  /**
   * NEXT /message with `Prefer: batch`: leases up to `batch` due messages, and gives those after
   * `since` again that this token holds. `claim` is the `since` of the next request; a relay
   * without batches gives one message without it. After the token was replaced, the client sends 0
   * as `since`. Undefined if no message is due (extension).
   */
  async nextBatch({
    batch,
    since,
    wait = 0,
    signal,
  }: BatchOptions): Promise<NextBatch | undefined> {
    let token = this.#claimToken
    const headers = () => {
      token = this.#transport.tokenCount
      const known = token === this.#claimToken ? since : 0
      const prefer = `${wait > 0 ? `wait=${wait}, ` : ''}batch=${batch}, since=${known}`
      return { ...this.#phoneHeaders, prefer }
    }
    const reply = await this.#next(nextReply, { headers, signal }, wait)
    if (reply === undefined) return undefined
    if ('message' in reply) return { messages: [reply.message], claim: undefined }
    this.#claimToken = token
    const { messages, claim, lease } = reply
    return { messages: messages.map(each => each.message), claim, lease }
  }

  /**
   * POST /message/report: reports up to 1,000 outcomes; one result for each, in order. One without
   * an idempotency key gets a random one (extension).
   */
  async report(
    outcomes: readonly MessageOutcome[],
    { minimal = false, ...options }: ReportOptions = {},
  ): Promise<readonly ReportResult[]> {
    const json = outcomes.map(each => ({ idempotency_key: crypto.randomUUID(), ...each }))
    const prefer: Record<string, string> = minimal ? { prefer: 'return=minimal' } : {}
    const headers = { ...this.#phoneHeaders, ...prefer }
    const call = { json, headers, repeatable: true, ...options }
    return (await this.#transport.call('POST', '/message/report', batchReportReply, call)).results
  }

  /** POST /message/batch: creates up to 1,000 messages; one result each, in order (extension). */
  async createBatch(
    messages: readonly BatchMessage[],
    { minimal = false, ...options }: CreateBatchOptions = {},
  ): Promise<readonly CreateResult[]> {
    const prefer: Record<string, string> = minimal ? { prefer: 'return=minimal' } : {}
    const call = { json: messages, repeatable: true, ...addIdempotencyKey(options, prefer) }
    return (await this.#transport.call('POST', '/message/batch', batchCreateReply, call)).results
  }

  /** GET /message/<id>. Throws `not_a_message`. */
  async get(id: string, { extended, ...options }: GetOptions = {}): Promise<MessageFields> {
    const call = extended ? { query: { extended: 'true' }, ...options } : options
    return (await this.#transport.call('GET', formatPath(id), messageReply, call)).message
  }

  /** GET /message/<id> with its version, for {@link edit} and {@link delete} (extension). */
  async getTagged(id: string, options: CallOptions = {}): Promise<Tagged<MessageFields>> {
    const { resource, tag } = await this.#transport.get(formatPath(id), messageReply, options)
    return { resource: resource.message, tag }
  }

  /** PATCH /message/<id>: changes a new or error message. */
  async edit(id: string, edit: MessageEdit, options: VersionOptions = {}): Promise<void> {
    const call = { json: { message: edit }, ...addIfMatch(options) }
    await this.#transport.call('PATCH', formatPath(id), messageIdReply, call)
  }

  /** DELETE /message/<id>: removes a final message, deletes others. Throws `not_a_message`. */
  async delete(id: string, options: VersionOptions = {}): Promise<void> {
    await this.#transport.call('DELETE', formatPath(id), messageIdReply, addIfMatch(options))
  }

  /** PUT /message/<id>/success: reports that the message was sent in this many parts. */
  async reportSuccess(
    id: string,
    report: { parts: number },
    options: IdempotentOptions = {},
  ): Promise<MessageFields> {
    const call = { json: report, ...addIdempotencyKey(options, this.#phoneHeaders) }
    return await this.#act('PUT', id, 'success', call)
  }

  /** PUT /message/<id>/failure: reports an attempt that failed or whose result is unknown. */
  async reportFailure(
    id: string,
    report: FailureReport,
    options: IdempotentOptions = {},
  ): Promise<MessageFields> {
    const call = { json: report, ...addIdempotencyKey(options, this.#phoneHeaders) }
    return await this.#act('PUT', id, 'failure', call)
  }

  /** PUT /message/<id>/release: releases a leased message that was not sent (extension). */
  async release(
    id: string,
    report: ReleaseReport = {},
    options: CallOptions = {},
  ): Promise<MessageFields> {
    const call = { json: report, headers: this.#phoneHeaders, ...options }
    return await this.#act('PUT', id, 'release', call)
  }

  /** PUT /message/<id>/lock: locks a waiting message, so that it is not sent (extension). */
  async lock(id: string, options: CallOptions = {}): Promise<MessageFields> {
    return await this.#act('PUT', id, 'lock', options)
  }

  /** PUT /message/<id>/unlock: unlocks a message, so that it can be sent (extension). */
  async unlock(id: string, options: CallOptions = {}): Promise<MessageFields> {
    return await this.#act('PUT', id, 'unlock', options)
  }

  /** PUT /message/<id>/undelete: restores a deleted message (extension). */
  async undelete(id: string, options: CallOptions = {}): Promise<MessageFields> {
    return await this.#act('PUT', id, 'undelete', options)
  }

  /** POST /message/<id>/retry: skips the delay of a message in error (extension). */
  async retry(id: string, options: CallOptions = {}): Promise<MessageFields> {
    return await this.#act('POST', id, 'retry', options)
  }

  /**
   * POST /message/delivery: reports what networks say of sent messages, at most 1,000 receipts.
   * Resolves to one result for each, in order (extension).
   */
  async reportDelivery(
    receipts: readonly DeliveryReceiptFields[],
    options: CallOptions = {},
  ): Promise<DeliveryReportResult[]> {
    const call = { json: { receipts }, repeatable: true, headers: this.#phoneHeaders, ...options }
    const path = '/message/delivery'
    return (await this.#transport.call('POST', path, deliveryReportReply, call)).results
  }

  /** Sends NEXT, which waits so many seconds; resolves to undefined if no message is due. */
  async #next<T>(schema: ZodMiniType<T>, call: Call, wait: number): Promise<T | undefined> {
    const timeout = (wait + 30) * 1000
    try {
      return await this.#transport.call('NEXT', '/message', schema, { ...call, timeout })
    } catch (error) {
      if (isRelayError(error, 'not_a_message')) return undefined
      throw error
    }
  }

  async #act(method: string, id: string, name: string, call: Call): Promise<MessageFields> {
    const path = `${formatPath(id)}/${name}`
    return (await this.#transport.call(method, path, messageReply, call)).message
  }
}

function formatPath(id: string): string {
  return `/message/${encodeURIComponent(id)}`
}
