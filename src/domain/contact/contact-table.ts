import { splitTemplate } from '../bulk/text-template.js'
import { type Contact, getContactField } from './contact.js'
import { normalizeFieldName } from './contact-field.js'

/** The columns of a table of messages with the fields of contacts that a template uses. */
export interface ContactTable {
  readonly header: readonly string[]
  toCells(contact: Contact): string[]
}

/**
 * Creates a table of messages to contacts, for `bulk-table`, which checks the template and fills
 * it: `{name}`, `{number}` or the name of a field.
 */
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

/** The name of the field in a placeholder such as `{name|friend}`. */
function getFieldName(placeholder: string): string {
  return normalizeFieldName(placeholder.split('|')[0] ?? '')
}

function getValue(contact: Contact, field: string): string {
  return field === 'name' ? contact.name : getContactField(contact, field)
}
