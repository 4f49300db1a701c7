import {
  type ContactCreate,
  type ContactEdit,
  type ContactFields,
  type ContactImportReply,
  contactImportReply,
  contactListReply,
  contactNumberReply,
  contactReply,
} from '../contract/contact/contact-schema.js'
import { limits } from '../domain/limits.js'
import { addIfMatch, type CallOptions, type Tagged, type VersionOptions } from './call-options.js'
import type { Transport } from './transport.js'

/** Which contacts the client asks for. */
export interface ContactListOptions extends CallOptions {
  /** Name of a group: the client asks only for its members. */
  readonly group?: string | undefined
  /** A part of the name or of the number of the contacts that the client asks for. */
  readonly search?: string | undefined
}

/** Options of the client's import of contacts. */
export interface ContactImportOptions extends CallOptions {
  /** Whether the client asks only for a check of the contacts. @default false */
  readonly dryRun?: boolean
  /** Whether the client asks to import the valid contacts if others are invalid. @default false */
  readonly skipInvalid?: boolean
}

/** The account's contacts, one method a route (extension). */
export class ContactClient {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** GET /contact: all contacts in order of their names. */
  async list({ group, search, ...options }: ContactListOptions = {}): Promise<ContactFields[]> {
    const pages = await this.#transport.readPages('/contact', contactListReply, {
      query: {
        count: String(limits.contactBatch),
        ...(group === undefined ? {} : { group }),
        ...(search === undefined ? {} : { search }),
      },
      ...options,
    })
    return pages.flatMap(page => page.contacts.map(({ contact }) => contact))
  }

  /** GET /contact/NUMBER. Throws `not_found`. */
  async get(number: string, options: CallOptions = {}): Promise<ContactFields> {
    return (await this.#transport.call('GET', formatContactPath(number), contactReply, options))
      .contact
  }

  /** GET /contact/NUMBER with the version of the contact, for a change that depends on it. */
  async getTagged(number: string, options: CallOptions = {}): Promise<Tagged<ContactFields>> {
    const path = formatContactPath(number)
    const { resource, tag } = await this.#transport.get(path, contactReply, options)
    return { resource: resource.contact, tag }
  }

  /** POST /contact. Throws `invalid_parameter` if the number has a contact. */
  async create(json: ContactCreate, options: CallOptions = {}): Promise<ContactFields> {
    const call = { json, ...options }
    return (await this.#transport.call('POST', '/contact', contactReply, call)).contact
  }

  /** PATCH /contact/NUMBER. Throws `not_found`, and `precondition_failed` for another version. */
  async edit(
    number: string,
    json: ContactEdit,
    options: VersionOptions = {},
  ): Promise<ContactFields> {
    const call = { json, repeatable: true, ...addIfMatch(options) }
    return (await this.#transport.call('PATCH', formatContactPath(number), contactReply, call))
      .contact
  }

  /** POST /contact/import: adds and changes up to 500 contacts. */
  async import(
    contacts: readonly ContactCreate[],
    { dryRun = false, skipInvalid = false, ...options }: ContactImportOptions = {},
  ): Promise<ContactImportReply> {
    const json = { contacts, dry_run: dryRun, skip_invalid: skipInvalid }
    const call = { json, repeatable: true, ...options }
    return await this.#transport.call('POST', '/contact/import', contactImportReply, call)
  }

  /** DELETE /contact/NUMBER. Throws `not_found`. */
  async delete(number: string, options: CallOptions = {}): Promise<void> {
    await this.#transport.call('DELETE', formatContactPath(number), contactNumberReply, options)
  }
}

function formatContactPath(number: string): string {
  return `/contact/${encodeURIComponent(number)}`
}
