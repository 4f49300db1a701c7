import type {
  FailureReport,
  ListFilterInput,
  MessageCreate,
  MessageEdit,
  ReleaseReport,
} from '../contract/message-schema.js'
import {
  type MessageFields,
  messageIdReply,
  messageListReply,
  messageReply,
} from '../contract/message-schema.js'
import { type PresenceReport, phoneHeaders } from '../contract/phone-schema.js'
import { anyReply, type TokenReply, userAppReply, userReply } from '../contract/user-schema.js'
import { isRelayError } from '../errors.js'
import { type ApiClientOptions, type CallOptions, createPhoneHeaders } from './api-client.js'
import { addIdempotencyKey, type IdempotentOptions } from './received-text-client.js'
import { SecretUrlClient } from './secret-url-client.js'

export type {
  ApiClientOptions as RelayClientOptions,
  CallOptions,
  PhoneIdentity,
} from './api-client.js'
export type { DoNotTextOptions, IdempotentOptions } from './received-text-client.js'

/** Options of {@link RelayClient.nextMessage}. */
export interface NextOptions extends CallOptions {
  /** Seconds the relay holds the request open until a message is due (RFC 7240). @default 0 */
  readonly wait?: number
}

/** The interface of a relay, one method a route; every method throws RelayError (SPEC.md section 4). */
export class RelayClient extends SecretUrlClient {
  readonly #introduction: Record<string, string>

  constructor(options: ApiClientOptions) {
    super(options)
    this.#introduction = createPhoneHeaders(options.phone)
  }

  /** Base address of the relay. */
  get url(): string {
    return this.transport.url
  }

  /** GET /oauth: a new token for the client's credentials. */
  async issueToken(options: CallOptions = {}): Promise<TokenReply> {
    return await this.transport.issueToken(options.signal)
  }

  /** GET /oauth/revoke: ends a token. */
  async revokeToken(token: string, options: CallOptions = {}): Promise<void> {
    await this.transport.callWithoutToken('GET', '/oauth/revoke', anyReply, {
      query: { token },
      ...options,
    })
  }

  /** POST /message: accepts a message to send. */
  async createMessage(
    draft: MessageCreate,
    options: IdempotentOptions = {},
  ): Promise<MessageFields> {
    const call = { json: { message: draft }, repeatable: true, ...addIdempotencyKey(options) }
    return (await this.transport.call('POST', '/message', messageReply, call)).message
  }

  /** GET /message: a page of messages. */
  async listMessages(
    filter: ListFilterInput = {},
    options: CallOptions = {},
  ): Promise<MessageFields[]> {
    const query = { filter: JSON.stringify(filter) }
    const reply = await this.transport.call('GET', '/message', messageListReply, {
      query,
      ...options,
    })
    return reply.messages.map(each => each.message)
  }

  /** NEXT /message: the message to send next, leased to this client's token; undefined when none is due. */
  async nextMessage(options: NextOptions = {}): Promise<MessageFields | undefined> {
    const wait = options.wait ?? 0
    const call = {
      headers: { ...this.#introduction, ...(wait > 0 ? { prefer: `wait=${wait}` } : {}) },
      timeout: (wait + 30) * 1000,
      signal: options.signal,
    }
    try {
      return (await this.transport.call('NEXT', '/message', messageReply, call)).message
    } catch (error) {
      if (isRelayError(error, 'not_a_message')) return undefined
      throw error
    }
  }

  /** GET /message/<id>. */
  async getMessage(id: string, options: CallOptions = {}): Promise<MessageFields> {
    return (await this.transport.call('GET', formatMessagePath(id), messageReply, options)).message
  }

  /** PATCH /message/<id>: changes a new or error message. */
  async editMessage(id: string, edit: MessageEdit, options: CallOptions = {}): Promise<void> {
    const call = { json: { message: edit }, ...options }
    await this.transport.call('PATCH', formatMessagePath(id), messageIdReply, call)
  }

  /** DELETE /message/<id>. */
  async deleteMessage(id: string, options: CallOptions = {}): Promise<void> {
    await this.transport.call('DELETE', formatMessagePath(id), messageIdReply, options)
  }

  /** PUT /message/<id>/success: the message was sent in so many parts. */
  async reportSuccess(
    id: string,
    report: { parts: number },
    options: IdempotentOptions = {},
  ): Promise<MessageFields> {
    const call = { json: report, ...addIdempotencyKey(options, this.#introduction) }
    return (await this.transport.call('PUT', formatMessagePath(id, '/success'), messageReply, call))
      .message
  }

  /** PUT /message/<id>/failure: the attempt failed, or nobody knows what became of it. */
  async reportFailure(
    id: string,
    report: FailureReport,
    options: IdempotentOptions = {},
  ): Promise<MessageFields> {
    const call = { json: report, ...addIdempotencyKey(options, this.#introduction) }
    return (await this.transport.call('PUT', formatMessagePath(id, '/failure'), messageReply, call))
      .message
  }

  /** PUT /message/<id>/release: gives back a message that NEXT gave to this client's token and that was not sent (extension). */
  async releaseMessage(
    id: string,
    report: ReleaseReport = {},
    options: CallOptions = {},
  ): Promise<MessageFields> {
    const call = { json: report, ...options }
    return (await this.transport.call('PUT', formatMessagePath(id, '/release'), messageReply, call))
      .message
  }

  /**
   * GET /message/queue, by which a phone that does not ask for messages says that it is there, and until when it is at rest
   * (extension).
   */
  async reportPresence(report: PresenceReport = {}, options: CallOptions = {}): Promise<void> {
    const { quiet_until: until } = report
    const rest = until === undefined ? {} : { [phoneHeaders.quietUntil]: until }
    const call = { headers: { ...this.#introduction, ...rest }, ...options }
    await this.transport.call('GET', '/message/queue', anyReply, call)
  }

  /** PUT /message/<id>/lock: holds a waiting message back (extension). */
  async lockMessage(id: string, options: CallOptions = {}): Promise<MessageFields> {
    return (await this.transport.call('PUT', formatMessagePath(id, '/lock'), messageReply, options))
      .message
  }

  /** PUT /message/<id>/unlock: lets a locked message go on (extension). */
  async unlockMessage(id: string, options: CallOptions = {}): Promise<MessageFields> {
    return (
      await this.transport.call('PUT', formatMessagePath(id, '/unlock'), messageReply, options)
    ).message
  }

  /** PUT /message/<id>/undelete: brings a deleted message back (extension). */
  async undeleteMessage(id: string, options: CallOptions = {}): Promise<MessageFields> {
    const path = formatMessagePath(id, '/undelete')
    return (await this.transport.call('PUT', path, messageReply, options)).message
  }

  /** GET /user: the e-mail address of the account. */
  async getUser(options: CallOptions = {}): Promise<{ email: string }> {
    return (await this.transport.call('GET', '/user', userReply, options)).user
  }

  /** GET /user/app: the keys of the phone application; needs a User Login token. */
  async getUserApp(options: CallOptions = {}): Promise<{ app_key: string; secret_key: string }> {
    return (await this.transport.call('GET', '/user/app', userAppReply, options)).user
  }
}

function formatMessagePath(id: string, action = ''): string {
  return `/message/${encodeURIComponent(id)}${action}`
}
