import { findNumberColumn } from '../../domain/bulk/column-names.js'
import { getContactField } from '../../domain/contact/contact.js'
import { findFieldNameProblem, normalizeFieldName } from '../../domain/contact/contact-field.js'
import { limits } from '../../domain/limits.js'
import { RelayError } from '../../errors.js'
import { formatCsvRow, unescapeFormulas } from '../../util/text/csv-row.js'
import { type ContactCreate, type ContactFields, splitGroups } from './contact-schema.js'

interface ContactColumns {
  readonly number: number
  readonly name: number
  readonly groups: number
  readonly fields: readonly (readonly [name: string, at: number])[]
}

/**
 * Creates a function that reads the rows of a CSV file of contacts in order, header first; it
 * returns undefined for the header and for empty rows. The columns are number, name, groups and any
 * fields. Throws `invalid_parameter` for a header without number, or with a name that no field has.
 */
export function createContactCsvReader(): (cells: readonly string[]) => ContactCreate | undefined {
  let columns: ContactColumns | undefined
  return cells => {
    if (cells.every(cell => cell.trim() === '')) return undefined
    if (columns !== undefined) return readRow(cells, columns)
    columns = readHeader(cells)
    return undefined
  }
}

export function* formatContactCsv(contacts: readonly ContactFields[]): Generator<string> {
  const names = [...new Set(contacts.flatMap(({ fields }) => Object.keys(fields)))].sort()
  yield formatCsvRow(['number', 'name', 'groups', ...names])
  for (const contact of contacts) {
    const { number, name, groups } = contact
    const values = names.map(each => getContactField(contact, each))
    yield formatCsvRow([number, name, groups.join('; '), ...values])
  }
}

function readHeader(cells: readonly string[]): ContactColumns {
  const keys = cells.map(normalizeFieldName)
  const duplicate = keys.find((key, at) => key !== '' && keys.indexOf(key) !== at)
  if (duplicate !== undefined) throw headerError(`There are two columns ${duplicate}.`)
  const number = findNumberColumn(keys)
  if (number === undefined) throw headerError('There is no column number (or phone).')
  const known = new Set([number, 'name', 'groups', 'created_on', ''])
  const fields = keys.map((key, at) => [key, at] as const).filter(([key]) => !known.has(key))
  for (const [key] of fields) {
    const problem = findFieldNameProblem(key, limits.contactFieldName)
    if (problem !== undefined) throw headerError(`The column ${key.slice(0, 60)} ${problem}.`)
  }
  const find = (key: string) => keys.indexOf(key)
  return { number: find(number), name: find('name'), groups: find('groups'), fields }
}

function readRow(cells: readonly string[], columns: ContactColumns): ContactCreate {
  const getCell = (at: number): string => unescapeFormulas((cells[at] ?? '').trim())
  const filled = columns.fields
    .map(([name, at]) => [name, getCell(at)] as const)
    .filter(([, value]) => value !== '')
  const name = getCell(columns.name)
  return {
    number: getCell(columns.number),
    ...(name === '' ? {} : { name }),
    ...(filled.length === 0 ? {} : { fields: Object.fromEntries(filled) }),
    groups: splitGroups(getCell(columns.groups)),
  }
}

function headerError(message: string): RelayError {
  return new RelayError('invalid_parameter', message, {
    hint: 'The first line names the columns: number, name, groups and fields such as city.',
  })
}
