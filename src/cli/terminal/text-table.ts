import { countColumns, toOneLine, truncate } from './terminal-text.js'

export interface Table {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** Adds the color of a cell: its text, and the numbers of its row and column from 0. */
  readonly paint?: (text: string, row: number, column: number) => string
}

export interface TableLimit {
  readonly width: number
  readonly canTruncate: readonly boolean[]
}

/** Terminal columns that truncated cells keep. */
const minTruncated = 8
const gap = 2

export function formatTable(table: Table): string {
  const lines = toLines(table)
  return formatLines(lines, measureColumns(lines), table.paint)
}

export function formatLimitedTable(table: Table, limit: TableLimit): string | undefined {
  const lines = toLines(table)
  const widths = limitWidths(measureColumns(lines), limit)
  return widths === undefined ? undefined : formatLines(lines, widths, table.paint)
}

function toLines({ head, rows }: Table): readonly (readonly string[])[] {
  return [head, ...rows.map(row => row.map(toOneLine))]
}

function measureColumns(lines: readonly (readonly string[])[]): number[] {
  return (lines[0] ?? []).map((_, column) =>
    lines.reduce((most, line) => Math.max(most, countColumns(line[column] ?? '')), 0),
  )
}

/** Makes the widest column that can be truncated narrower, until the line fits. */
function limitWidths(
  natural: readonly number[],
  { width, canTruncate }: TableLimit,
): readonly number[] | undefined {
  const widths = [...natural]
  let excess = widths.reduce((sum, each) => sum + each + gap, -gap) - width
  for (; excess > 0; excess--) {
    const shrinkable = widths.map((each, column) => (canTruncate[column] === true ? each : 0))
    const widest = Math.max(...shrinkable)
    if (widest <= minTruncated) return undefined
    widths[shrinkable.indexOf(widest)] = widest - 1
  }
  return widths
}

function formatLines(
  lines: readonly (readonly string[])[],
  widths: readonly number[],
  paint: Table['paint'] = text => text,
): string {
  return lines
    .map((line, row) =>
      alignLine(line, widths)
        .map((cell, column) => (row === 0 ? cell : paint(cell, row - 1, column)))
        .join('')
        .trimEnd(),
    )
    .join('\n')
}

function alignLine(line: readonly string[], widths: readonly number[]): string[] {
  return line.map((text, column) => {
    const width = widths[column] ?? 0
    const cell = truncate(text, width)
    return column === line.length - 1 ? cell : cell + ' '.repeat(width - countColumns(cell) + gap)
  })
}
