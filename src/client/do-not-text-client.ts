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

export interface DoNotTextOptions extends CallOptions {
  /** Note of the entries that the client adds; at most 200 characters. */
  readonly note?: string | undefined
}

export interface DoNotTextImportOptions extends CallOptions {
  /** Whether the client asks only for a check of the Do Not Text entries. @default false */
  readonly dryRun?: boolean
  /** Whether the client asks to import valid entries even if others are invalid. @default false */
  readonly skipInvalid?: boolean
}

export class DoNotTextClient {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

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

  async remove(number: string, options: CallOptions = {}): Promise<DoNotTextFields> {
    const path = `/do-not-text/${encodeURIComponent(number)}`
    return (await this.#transport.call('DELETE', path, doNotTextReply, options)).entry
  }
}
