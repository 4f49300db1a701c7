import { type Figure, verdict } from './figure.js'

const heads = ['What', 'Figure', 'Target', '', 'p50 ms', 'p99 ms', 'Beside it']

/** The figures as one markdown table. */
export function table(figures: readonly Figure[]): string {
  const rows = [heads, heads.map(() => '---'), ...figures.map(cells)]
  const widths = heads.map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  const lines = rows.map(row =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0, cell === '---' ? '-' : ' ')),
  )
  return lines.map(cells => `| ${cells.join(' | ')} |`).join('\n')
}

function cells(figure: Figure): string[] {
  const { row, value, unit, target, latencies, note = '' } = figure
  const sign = 'least' in target ? '≥' : '≤'
  const limit = 'least' in target ? target.least : target.most
  return [
    row,
    value === undefined || Number.isNaN(value) ? 'n/a' : amount(value, unit),
    `${sign} ${withUnit(String(limit), unit)}`,
    verdict(figure),
    time(latencies?.quantile(0.5) ?? figure.p50),
    time(latencies?.quantile(0.99) ?? figure.p99),
    note,
  ]
}

function amount(value: number, unit: Figure['unit']): string {
  return withUnit(unit === 'bytes' ? value.toFixed(0) : value.toFixed(2), unit)
}

function withUnit(text: string, unit: Figure['unit']): string {
  if (unit === 'ratio') return text
  if (unit === 'growth') return `${text} ×`
  return `${text} ${unit}`
}

function time(value: number | undefined): string {
  return value === undefined || Number.isNaN(value) ? '' : value.toFixed(2)
}
