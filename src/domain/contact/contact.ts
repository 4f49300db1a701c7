// Contacts of an account: names for numbers, with fields that templates insert, in groups.
//
// An account has at most one contact for a number. A contact has the identifiers of its groups, so
// a group is renamed without a change of its members; those of deleted groups mean nothing. The
// text of a template has fields such as `{name}`: the name, the number, or a field of a contact.

export interface Contact {
  readonly account: string
  readonly number: string
  readonly name: string
  /** Values that templates insert, by the name of the field in lower case. */
  readonly fields?: Readonly<Record<string, string>>
  /** Identifiers of the contact's groups; those of deleted groups have no meaning. */
  readonly groups?: readonly string[]
  readonly createdAt: number
}

/** The value of a contact's field by its name in lower case; empty if the contact has none. */
export function getContactField({ fields = {} }: Pick<Contact, 'fields'>, name: string): string {
  return (Object.hasOwn(fields, name) ? fields[name] : undefined) ?? ''
}

/** The place of a contact in lists, which are in order of name and number. Sorts as text. */
export function buildContactKey({ name, number }: Pick<Contact, 'name' | 'number'>): string {
  return `${normalizeName(name)} ${number}`
}

export function getContactNumber(key: string): string {
  return key.slice(key.lastIndexOf(' ') + 1)
}

/** A text by which contacts are sorted and found: in lower case, without accents. */
export function normalizeName(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mark}+/gu, '')
    .toLowerCase()
}

export function sortByName<T extends { readonly name: string }>(items: readonly T[]): T[] {
  const keyed = items.map(item => ({ item, key: normalizeName(item.name) }))
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ item }) => item)
}

/** Normalizes the words of a search among contacts; of a number, only the digits count. */
export function normalizeSearch(words: string): string {
  const text = words.trim()
  const isNumber = /\d/.test(text) && /^[+\d\s().\-/]+$/.test(text)
  return isNumber ? text.replace(/\D/g, '') : normalizeName(text)
}
