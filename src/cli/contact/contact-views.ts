// The command `contact`, changes of members of a group, and texts to a group.
//
// - contact-views: the columns of lists
// - edit-contact: changes of one contact, and of the members of a group
// - contact-file: checks all rows of a CSV file, then imports them in batches
// - group-source: the members of a group as a table, for `message send --group`
import type { ContactFields } from '../../contract/contact/contact-schema.js'
import type { Column } from '../output/column.js'
import { toOneLine } from '../terminal/terminal-text.js'

export const contactColumns: readonly Column<ContactFields>[] = [
  { name: 'number', isId: true, read: each => each.number },
  { name: 'name', empty: '-', read: each => each.name },
  { name: 'groups', empty: '-', read: each => each.groups.join(', ') },
  { name: 'fields', empty: '-', read: each => formatContactValues(each) },
  { name: 'created_on', title: 'created', isTime: true, read: each => each.created_on },
]

export function formatContact({ number, name }: ContactFields): string {
  return toOneLine(name === '' ? number : `${number} (${name})`)
}

function formatContactValues({ fields }: ContactFields): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')
}
