import type { ImportedEntry } from '../contract/do-not-text-schema.js'
import {
  type DoNotTextFields,
  type DoNotTextImportReply,
  doNotTextImportReply,
  doNotTextListReply,
  doNotTextReply,
} from '../contract/do-not-text-schema.js'
import type { ReceivedTextReport } from '../contract/received-text-schema.js'
import {
  type ReceivedTextFields,
  receivedTextListReply,
  receivedTextReply,
} from '../contract/received-text-schema.js'
import type { CallOptions } from './api-client.js'
import { SubscriptionClient } from './subscription-client.js'

/** The options of a request that may be repeated without a second effect. */
export interface IdempotentOptions extends CallOptions {
  /** @default a new random key */
  readonly idempotencyKey?: string
}

/** Options of {@link InboxClient.addBlocked}. */
export interface DoNotTextOptions extends CallOptions {
  /** Why the number is listed, in at most 200 characters. */
  readonly note?: string | undefined
}

/** Options of {@link InboxClient.importBlocked}. */
export interface DoNotTextImportOptions extends CallOptions {
  /** Whether nothing is to be listed, and only the reply counts. @default false */
  readonly dryRun?: boolean
  /** Whether the valid entries are listed although others are not valid. @default false */
  readonly skipInvalid?: boolean
}

/** Which received texts are asked for. */
export interface ReceivedTextSelection {
  /** 1 to 100. @default 50 */
  readonly count?: number | undefined
  /** Only those before the one with this identifier. */
  readonly before?: string | undefined
}

/** The part of the interface that is about texts that reached phones, and the Do Not Text list (extensions). */
export class ReceivedTextClient extends SubscriptionClient {
  /** POST /message/received: a text reached a phone, by default this client's (extension). */
  async reportReceived(
    report: ReceivedTextReport,
    options: IdempotentOptions = {},
  ): Promise<ReceivedTextFields> {
    const phone = report.phone ?? this.phone?.name
    const json = { ...report, ...(phone === undefined ? {} : { phone }) }
    const call = { json, repeatable: true, ...addIdempotencyKey(options) }
    return (await this.transport.call('POST', receivedPath, receivedTextReply, call)).received
  }

  /** GET /message/received: a page of the received texts, the newest first (extension). */
  async listReceived(
    { count, before }: ReceivedTextSelection = {},
    options: CallOptions = {},
  ): Promise<ReceivedTextFields[]> {
    const query = {
      ...(count === undefined ? {} : { count: String(count) }),
      ...(before === undefined ? {} : { before }),
    }
    const call = { query, ...options }
    const reply = await this.transport.call('GET', receivedPath, receivedTextListReply, call)
    return reply.received.map(each => each.received)
  }

  /** GET /message/received/<id> (extension). */
  async getReceived(id: string, options: CallOptions = {}): Promise<ReceivedTextFields> {
    const path = `${receivedPath}/${encodeURIComponent(id)}`
    return (await this.transport.call('GET', path, receivedTextReply, options)).received
  }

  /** GET /blocklist: the numbers this account must not text (extension). */
  async listBlocked(options: CallOptions = {}): Promise<DoNotTextFields[]> {
    const reply = await this.transport.call('GET', '/blocklist', doNotTextListReply, options)
    return reply.entries.map(each => each.entry)
  }

  /** POST /blocklist: adds a number to the account's Do Not Text list (extension). */
  async addBlocked(
    number: string,
    { note, ...options }: DoNotTextOptions = {},
  ): Promise<DoNotTextFields> {
    const json = { number, ...(note === undefined ? {} : { note }) }
    const call = { json, repeatable: true, ...options }
    return (await this.transport.call('POST', '/blocklist', doNotTextReply, call)).entry
  }

  /** POST /blocklist/import: adds up to 500 entries at once, with their own times and reasons (extension). */
  async importBlocked(
    entries: readonly ImportedEntry[],
    { dryRun = false, skipInvalid = false, ...options }: DoNotTextImportOptions = {},
  ): Promise<DoNotTextImportReply> {
    const json = { entries, dry_run: dryRun, skip_invalid: skipInvalid }
    const call = { json, repeatable: true, ...options }
    return await this.transport.call('POST', '/blocklist/import', doNotTextImportReply, call)
  }

  /** DELETE /blocklist/<number>: takes a number off the account's Do Not Text list (extension). */
  async removeBlocked(number: string, options: CallOptions = {}): Promise<DoNotTextFields> {
    const path = `/blocklist/${encodeURIComponent(number)}`
    return (await this.transport.call('DELETE', path, doNotTextReply, options)).entry
  }
}

const receivedPath = '/message/received'

/** The options of a call with its idempotency key, and further header fields. */
export function addIdempotencyKey(
  options: IdempotentOptions,
  headers: Record<string, string> = {},
): CallOptions & { headers: Record<string, string> } {
  const key = options.idempotencyKey ?? crypto.randomUUID()
  return { signal: options.signal, headers: { ...headers, 'idempotency-key': key } }
}
