import { RelayError } from '../../errors.js'
import { type StrayBrace, splitTemplate, type TemplatePlaceholder } from './text-template.js'

export interface RowTemplate {
  fill(cells: readonly string[]): FilledTemplate
}

/** The text of a bulk row from its template; it is unusable if `empty` names columns. */
export interface FilledTemplate {
  readonly text: string
  readonly empty: readonly string[]
}

interface ColumnPlaceholder {
  readonly name: string
  readonly at: number
  /** Text that a bulk template has for an empty cell. */
  readonly fallback: string | undefined
}

/**
 * Parses the template of bulk texts: `{name}` is a column by its header, `{name|friend}` has a text
 * for empty cells, `{{` and `}}` are braces. Throws `invalid_parameter` for unknown columns and
 * single braces.
 */
export function parseTemplate(template: string, columns: readonly string[]): RowTemplate {
  const parts = splitTemplate(template).map(each =>
    typeof each === 'string' ? each : toPlaceholder(each, columns),
  )
  return { fill: cells => fillRow(parts, cells) }
}

/** Normalizes the name of a bulk column: letter case and outer spaces do not matter. */
export function normalizeColumnName(name: string): string {
  return name.trim().toLowerCase()
}

function toPlaceholder(
  piece: TemplatePlaceholder | StrayBrace,
  columns: readonly string[],
): ColumnPlaceholder {
  if ('stray' in piece) {
    const { stray } = piece
    throw new RelayError('invalid_parameter', `The template has a single "${stray}".`, {
      hint: `Write ${stray}${stray} for a brace, and {column} for a column.`,
    })
  }
  const [name = '', ...rest] = piece.name.split('|')
  const fallback = rest.length === 0 ? undefined : rest.join('|')
  const at = columns.findIndex(column => normalizeColumnName(column) === normalizeColumnName(name))
  if (at !== -1) return { name: columns[at]?.trim() ?? name, at, fallback }
  const known = columns.map(column => column.trim()).join(', ')
  throw new RelayError(
    'invalid_parameter',
    `The template uses {${name}}, but there is no such column.`,
    { hint: `The columns are: ${known}.` },
  )
}

function fillRow(
  parts: readonly (string | ColumnPlaceholder)[],
  cells: readonly string[],
): FilledTemplate {
  const empty: string[] = []
  const texts = parts.map(part => {
    if (typeof part === 'string') return part
    const cell = cells[part.at]?.trim() ?? ''
    if (cell === '' && part.fallback === undefined) empty.push(part.name)
    return cell === '' ? (part.fallback ?? '') : cell
  })
  return { text: texts.join(''), empty }
}
