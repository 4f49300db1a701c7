import { splitTemplate } from '../bulk/text-template.js'
import { type Contact, getContactField } from './contact.js'
import { normalizeFieldName } from './contact-field.js'

/** The columns of a table of messages with the fields of contacts that a template uses. */
export interface ContactTable {
  readonly header: readonly string[]
  toCells(contact: Contact): string[]
}

export function createContactTable(template: string): ContactTable {
  const used = splitTemplate(template).flatMap(piece =>
    typeof piece === 'object' && 'name' in piece ? [getFieldName(piece.name)] : [],
  )
  const names = [...new Set(used)].filter(name => name !== 'number')
  return {
    header: ['number', ...names],
    toCells: contact => [contact.number, ...names.map(name => getValue(contact, name))],
  }
}

function getFieldName(placeholder: string): string {
  return normalizeFieldName(placeholder.split('|')[0] ?? '')
}

function getValue(contact: Contact, field: string): string {
  return field === 'name' ? contact.name : getContactField(contact, field)
}
