// Contacts, their groups, and templates.
// - contact-service: contacts one by one; contact-import: those of a file
// - group-service: groups; a contact has their identifiers
// - template-service: texts with fields; domain/contact/contact-table fills them for contacts
//
// Names are only for people: nothing is sent, blocked or decided by them.

import type { Account } from '../../../domain/account/account.js'
import type { Contact } from '../../../domain/contact/contact.js'
import { isRelayError, RelayError } from '../../../errors.js'
import type { ContactQuery } from '../../store/contact-store.js'
import { assertAccountExists } from '../create-account-record.js'
import { requireCanonicalNumber } from '../messages/canonical-number.js'
import type { ServiceContext } from '../service-context.js'
import {
  type ContactChanges,
  type ContactDraft,
  type ContactImportOptions,
  type ContactImportResult,
  type InvalidContact,
  importContacts,
} from './contact-import.js'
import type { GroupService } from './group-service.js'

const field = '`number`'

export class ContactService {
  readonly #context: ServiceContext
  readonly #groups: GroupService

  constructor(context: ServiceContext, groups: GroupService) {
    this.#context = context
    this.#groups = groups
  }

  async getPage(account: Account, query: ContactQuery): Promise<Contact[]> {
    return await this.#context.store.contacts.getPage(account.id, query)
  }

  async count(account: Account): Promise<number> {
    return await this.#context.store.contacts.count(account.id)
  }

  async find(account: Account, numbers: readonly string[]): Promise<Contact[]> {
    return await this.#context.store.contacts.find(account.id, numbers)
  }

  /** Finds the names of contacts by canonical number; only those that have one. */
  async findNames(
    account: Account,
    numbers: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const found = await this.find(account, [...new Set(numbers)])
    return new Map(found.filter(({ name }) => name !== '').map(each => [each.number, each.name]))
  }

  async get(account: Account, number: string): Promise<Contact> {
    const canonical = requireCanonicalNumber(number, account.country, field)
    const [found] = await this.find(account, [canonical])
    return found ?? throwNotFound(canonical)
  }

  async add(account: Account, { number, ...changes }: ContactDraft): Promise<Contact> {
    const canonical = requireCanonicalNumber(number, account.country, field)
    const groups = await this.#groups.requireAll(account, changes.groups ?? [])
    const createdAt = this.#context.clock.now()
    const created = { account: account.id, number: canonical, name: '', createdAt }
    const contact = changeContact(created, changes, groups)
    await this.#create(account, contact)
    return contact
  }

  /**
   * Changes a contact, unless `check` of the current one throws. One that gets another number is
   * added before the old one is removed. Throws `invalid_parameter`, `not_found` and, if it was
   * changed before it is removed, `precondition_failed`.
   */
  async edit(
    account: Account,
    number: string,
    { number: newNumber = number, ...changes }: Partial<ContactDraft>,
    check?: (current: Contact) => void,
  ): Promise<Contact> {
    const canonical = requireCanonicalNumber(number, account.country, field)
    const target = requireCanonicalNumber(newNumber, account.country, field)
    const groups = changes.groups && (await this.#groups.requireAll(account, changes.groups))
    let [before, changed]: (Contact | undefined)[] = []
    await this.#change(account, canonical, current => {
      if (current === undefined) throwNotFound(canonical)
      check?.(current)
      before = current
      changed = changeContact({ ...current, number: target }, changes, groups)
      return target === canonical ? changed : current
    })
    const contact = changed ?? throwNotFound(canonical)
    if (target !== canonical) {
      await this.#create(account, contact)
      await this.#removeMoved(account, canonical, before, target)
    }
    return contact
  }

  async remove(
    account: Account,
    number: string,
    check?: (current: Contact) => void,
  ): Promise<void> {
    const canonical = requireCanonicalNumber(number, account.country, field)
    await this.#change(account, canonical, current => {
      if (current === undefined) throwNotFound(canonical)
      check?.(current)
      return null
    })
  }

  /**
   * Adds and changes many contacts; if one is invalid, stores nothing unless `skipInvalid` is set.
   * A contact that exists gets the given name and fields, and the groups in addition to its own.
   * Throws `invalid_state` if the account would have too many contacts.
   */
  async importAll(
    account: Account,
    drafts: readonly (ContactDraft | InvalidContact)[],
    options: ContactImportOptions,
  ): Promise<ContactImportResult> {
    return await importContacts(this.#context, this.#groups, account, drafts, options)
  }

  /** Removes a contact whose copy has another number; or the copy, if the contact has changed. */
  async #removeMoved(
    account: Account,
    number: string,
    copied: Contact | undefined,
    copyNumber: string,
  ): Promise<void> {
    try {
      await this.remove(account, number, current => {
        if (JSON.stringify(current) === JSON.stringify(copied)) return
        throw new RelayError('precondition_failed', 'It has been changed in the meantime.')
      })
    } catch (error) {
      const hasChanged =
        isRelayError(error, 'precondition_failed') || isRelayError(error, 'not_found')
      if (hasChanged) await this.remove(account, copyNumber)
      throw error
    }
  }

  async #create(account: Account, contact: Contact): Promise<void> {
    await this.#change(account, contact.number, current => {
      if (current === undefined) return contact
      throw new RelayError('invalid_parameter', `${field} ${contact.number} has a contact already.`)
    })
  }

  async #change(
    account: Account,
    number: string,
    decide: (current: Contact | undefined) => Contact | null,
  ): Promise<void> {
    const { contacts, accounts } = this.#context.store
    await contacts.changeAll(account.id, [number], (_, current) => decide(current))
    await assertAccountExists(accounts, account.id, async () => {
      await contacts.changeAll(account.id, [number], () => null)
    })
  }
}

/** Empty fields and groups are not stored. */
function changeContact(
  { name, fields, groups, ...rest }: Contact,
  changes: ContactChanges,
  newGroups: readonly string[] | undefined,
): Contact {
  const [newFields, ids] = [changes.fields ?? fields ?? {}, newGroups ?? groups ?? []]
  return {
    ...rest,
    name: changes.name ?? name,
    ...(Object.keys(newFields).length === 0 ? {} : { fields: newFields }),
    ...(ids.length === 0 ? {} : { groups: ids }),
  }
}

function throwNotFound(number: string): never {
  throw new RelayError('not_found', `${number} is not the number of a contact.`)
}
