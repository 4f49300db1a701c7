import {
  type DoNotTextFields,
  type DoNotTextImportReply,
  doNotTextImportReply,
  doNotTextListReply,
  doNotTextReply,
  type ImportedEntry,
} from '../contract/do-not-text-schema.js'
import { limits } from '../domain/limits.js'
import type { CallOptions } from './call-options.js'
import type { Transport } from './transport.js'

const firstPage = { count: String(limits.doNotTextBatch) }

/** Options of the client's addition to the Do Not Text list. */
export interface DoNotTextOptions extends CallOptions {
  /** Note of the entries that the client adds; at most 200 characters. */
  readonly note?: string | undefined
}

/** Options of the client's import into the Do Not Text list. */
export interface DoNotTextImportOptions extends CallOptions {
  /** Whether the client asks only for a check of the Do Not Text entries. @default false */
  readonly dryRun?: boolean
  /** Whether the client asks to import valid entries even if others are invalid. @default false */
  readonly skipInvalid?: boolean
}

/** The account's Do Not Text list, one method a route (extension). */
export class DoNotTextClient {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** GET /do-not-text: all entries, in order of their numbers. */
  async list(options: CallOptions = {}): Promise<DoNotTextFields[]> {
    const pages = await this.#transport.readPages('/do-not-text', doNotTextListReply, {
      query: firstPage,
      ...options,
    })
    return pages.flatMap(page => page.entries.map(each => each.entry))
  }

  /** GET /do-not-text/NUMBER. Throws `not_found`. */
  async get(number: string, options: CallOptions = {}): Promise<DoNotTextFields> {
    const path = `/do-not-text/${encodeURIComponent(number)}`
    return (await this.#transport.call('GET', path, doNotTextReply, options)).entry
  }

  /** POST /do-not-text: adds a number and blocks the messages that wait for it. */
  async add(number: string, { note, ...options }: DoNotTextOptions = {}): Promise<DoNotTextFields> {
    const json = { number, ...(note === undefined ? {} : { note }) }
    const call = { json, repeatable: true, ...options }
    return (await this.#transport.call('POST', '/do-not-text', doNotTextReply, call)).entry
  }

  /** POST /do-not-text/import: adds up to 500 entries with their own times and reasons. */
  async import(
    entries: readonly ImportedEntry[],
    { dryRun = false, skipInvalid = false, ...options }: DoNotTextImportOptions = {},
  ): Promise<DoNotTextImportReply> {
    const json = { entries, dry_run: dryRun, skip_invalid: skipInvalid }
    const call = { json, repeatable: true, ...options }
    return await this.#transport.call('POST', '/do-not-text/import', doNotTextImportReply, call)
  }

  /** DELETE /do-not-text/NUMBER: resolves to the removed entry. Throws `not_found`. */
  async remove(number: string, options: CallOptions = {}): Promise<DoNotTextFields> {
    const path = `/do-not-text/${encodeURIComponent(number)}`
    return (await this.#transport.call('DELETE', path, doNotTextReply, options)).entry
  }
}
