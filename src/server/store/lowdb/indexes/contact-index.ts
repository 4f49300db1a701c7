import {
  buildContactKey,
  type Contact,
  getContactNumber,
} from '../../../../domain/contact/contact.js'
import type { ContactQuery } from '../../contact-store.js'
import { SortedList } from './sorted-list.js'

type KeyList = SortedList<string, string>

export class ContactIndex {
  readonly #lists = new Map<string, KeyList>()
  readonly #groups = new Map<string, Set<string>>()

  /** Adds all contacts of a store at once; in order, because that is faster. */
  addAll(contacts: Iterable<Contact>): void {
    const keyed = [...contacts].map(contact => ({ contact, key: buildContactKey(contact) }))
    keyed.sort((a, b) => (a.key < b.key ? -1 : 1))
    for (const { contact } of keyed) this.update(undefined, contact)
  }

  update(before: Contact | undefined, after: Contact | undefined): void {
    if (before !== undefined) this.#remove(before)
    if (after !== undefined) this.#add(after)
  }

  count(account: string, group?: string): number {
    return this.#lists.get(getListName(account, group))?.size ?? 0
  }

  listGroups(account: string): Iterable<string> {
    return this.#groups.get(account) ?? []
  }

  getPage(account: string, { count, after = '', group, words }: ContactQuery): string[] {
    const list = this.#lists.get(getListName(account, group))
    if (list === undefined) return []
    if (words === undefined || words === '')
      return list.listAfter(after, count).map(getContactNumber)
    const found = list.listAfter(after, list.size).filter(key => key.includes(words))
    return found.slice(0, count).map(getContactNumber)
  }

  #add(contact: Contact): void {
    const key = buildContactKey(contact)
    for (const name of listNames(contact)) {
      const list = this.#lists.get(name) ?? new SortedList<string, string>(each => each)
      this.#lists.set(name, list)
      list.add(key)
    }
    const { account, groups = [] } = contact
    if (groups.length === 0) return
    const known = this.#groups.get(account) ?? new Set()
    this.#groups.set(account, known)
    for (const group of groups) known.add(group)
  }

  #remove(contact: Contact): void {
    const key = buildContactKey(contact)
    for (const name of listNames(contact)) {
      const list = this.#lists.get(name)
      list?.remove(key)
      if (list?.first === undefined) this.#lists.delete(name)
    }
    const { account, groups = [] } = contact
    const known = this.#groups.get(account)
    for (const group of groups) if (this.count(account, group) === 0) known?.delete(group)
    if (known?.size === 0) this.#groups.delete(account)
  }
}

function listNames({ account, groups = [] }: Contact): string[] {
  return [account, ...groups.map(group => getListName(account, group))]
}

function getListName(account: string, group: string | undefined): string {
  return group === undefined ? account : `${account} ${group}`
}
