import { RelayError } from '../../errors.js'
import { normalizeColumnName } from './column-names.js'
import { type FilledTemplate, fillTemplate, listFields, splitTemplate } from './text-template.js'

export interface RowTemplate {
  /** Fills the text of a bulk row; it is unusable if columns are missing. */
  fill(cells: readonly string[]): FilledTemplate
}

/**
 * Parses the template of bulk texts, whose fields are columns by their headers. Throws
 * `invalid_parameter` for unknown columns and single braces.
 */
export function parseTemplate(template: string, columns: readonly string[]): RowTemplate {
  const names = columns.map(normalizeColumnName)
  const find = (name: string): number => names.indexOf(normalizeColumnName(name))
  const pieces = splitTemplate(template, name => find(name) !== -1)
  const places = new Map<string, number>()
  for (const piece of pieces) {
    if (typeof piece === 'object' && 'stray' in piece) throw strayBraceError(piece.stray)
    for (const name of listFields(piece)) {
      if (find(name) === -1) throw unknownColumnError(name, columns)
      places.set(name, find(name))
    }
  }
  return { fill: cells => fillTemplate(pieces, name => cells[places.get(name) ?? -1]?.trim()) }
}

function strayBraceError(stray: string): RelayError {
  return new RelayError('invalid_parameter', `The template has a single "${stray}".`, {
    hint: `Write ${stray}${stray} for a brace, and {column} for a column.`,
  })
}

function unknownColumnError(name: string, columns: readonly string[]): RelayError {
  const known = columns.map(column => column.trim()).join(', ')
  return new RelayError(
    'invalid_parameter',
    `The template uses {${name}}, but there is no such column.`,
    { hint: `The columns are: ${known}. Write a text in quotes: {name|"friend"}.` },
  )
}
