import { listFields, splitTemplate } from '../bulk/text-template.js'
import { type Contact, getContactField } from './contact.js'
import { normalizeFieldName } from './contact-field.js'

/** The columns of a table of messages with the fields of contacts that a template uses. */
export interface ContactTable {
  readonly header: readonly string[]
  toCells(contact: Contact): string[]
}

/** @param contacts those whose fields the template can use */
export function createContactTable(
  template: string,
  contacts: readonly Contact[] = [],
): ContactTable {
  const known = new Set(['name', 'number'])
  for (const { fields = {} } of contacts) for (const name of Object.keys(fields)) known.add(name)
  const pieces = splitTemplate(template, name => known.has(normalizeFieldName(name)))
  const used = new Set(pieces.flatMap(listFields).map(normalizeFieldName))
  const names = [...used].filter(name => name !== 'number')
  return {
    header: ['number', ...names],
    toCells: contact => [contact.number, ...names.map(name => getValue(contact, name))],
  }
}

function getValue(contact: Contact, field: string): string {
  return field === 'name' ? contact.name : getContactField(contact, field)
}
