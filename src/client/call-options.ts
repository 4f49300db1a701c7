import type { MessageFields } from '../contract/message-schema.js'

/** Options of every call of the client. */
export interface CallOptions {
  /** Aborts the client's request and its retries. */
  readonly signal?: AbortSignal | undefined
}

/** Options of a client's request that can be repeated without a second effect. */
export interface IdempotentOptions extends CallOptions {
  /** Idempotency key of the request. @default a new random key */
  readonly idempotencyKey?: string
}

/** A resource as the client got it, with its version (extension). */
export interface Tagged<T> {
  readonly resource: T
  /** The `ETag` of the relay's reply; undefined if the relay has no versions. */
  readonly tag: string | undefined
}

/** Options of a client's change that can depend on the version of the resource (extension). */
export interface VersionOptions extends CallOptions {
  /**
   * The `ETag` that the resource must have; otherwise the change fails with `precondition_failed`.
   */
  readonly ifMatch?: string | undefined
}

/** A client's request, as a part of the client passes it to its transport. */
export interface Call extends CallOptions {
  readonly json?: unknown
  readonly query?: Record<string, string>
  /** Fields of the client's request; a function is called when its token is known. */
  readonly headers?: Record<string, string> | (() => Record<string, string>)
  /** Milliseconds that the client waits for the reply. */
  readonly timeout?: number
  /** Whether the client may send the request again. @default false for POST, PATCH and DELETE */
  readonly repeatable?: boolean
}

/** Adds the field Idempotency-Key to a client's request, so that it can be repeated (extension). */
export function addIdempotencyKey(
  options: IdempotentOptions,
  headers: Readonly<Record<string, string>> = {},
): CallOptions & { headers: Record<string, string> } {
  const key = options.idempotencyKey ?? createUniqueKey()
  return { signal: options.signal, headers: { ...headers, 'idempotency-key': key } }
}

/** Adds the field If-Match (RFC 9110 section 13.1.1) to a client's request that names a version. */
export function addIfMatch({ signal, ifMatch }: VersionOptions): Call {
  return { signal, ...(ifMatch === undefined ? {} : { headers: { 'if-match': ifMatch } }) }
}

/** Options of the client's NEXT. */
export interface NextOptions extends CallOptions {
  /** Seconds that the relay keeps the request open until a message is due (RFC 7240). @default 0 */
  readonly wait?: number
}

/** Options of the client's report of a batch. */
export interface ReportOptions extends CallOptions {
  /** Whether the results leave out the messages that were sent (RFC 7240). @default false */
  readonly minimal?: boolean
}

/** Options of the client's creation of a batch. */
export interface CreateBatchOptions extends IdempotentOptions {
  /**
   * Whether the client's results have only the ids of new messages (RFC 7240). A relay without
   * this preference answers with whole messages. @default false
   */
  readonly minimal?: boolean
}

/** Options of the client's request for one message. */
export interface GetOptions extends CallOptions {
  /** Whether the client asks for the message's attempts, too (extension). @default false */
  readonly extended?: boolean
}

/** A page of messages that the client listed. */
export interface MessagePage {
  readonly messages: MessageFields[]
  /** The `start` of the page after it, if the client's filter has more than the interface. */
  readonly next: number | undefined
}

/** Options of the client's NEXT for a batch. */
export interface BatchOptions extends NextOptions {
  /** Most messages that the client asks for, 1 to 1,000. */
  readonly batch: number
  /** The `claim` of the last batch that the client received; 0 gives all that the token holds. */
  readonly since: number
}

/** Messages that the client claimed for its phone. */
export interface NextBatch {
  readonly messages: MessageFields[]
  /**
   * Number of the last message that the client claimed; undefined if the relay knows no batches.
   */
  readonly claim: number | undefined
  /** Seconds that the phone holds each message; undefined if the client's relay does not say it. */
  readonly lease?: number | undefined
}

/**
 * Creates a key that no other request has. It is unique, not secret: node:crypto and WebCrypto take
 * 3 ms of the processor time of a command to load.
 */
export function createUniqueKey(): string {
  const parts = [Date.now(), Math.random() * 2 ** 52, Math.random() * 2 ** 52]
  return parts.map(part => Math.floor(part).toString(36)).join('-')
}
