import { formatTable } from '../../report/page.js'
import { type Figure, formatVerdict } from './figure.js'

const columnHeads = ['What', 'Figure', 'Target', '', 'p50 ms', 'p99 ms', 'Details']

/** The figures as a markdown table. */
export function formatFigures(figures: readonly Figure[]): string {
  return formatTable(columnHeads, figures.map(formatCells))
}

function formatCells(figure: Figure): string[] {
  const { row, value, unit, target, latencies, note = '' } = figure
  const sign = 'least' in target ? '≥' : '≤'
  const limit = 'least' in target ? target.least : target.most
  return [
    row,
    value === undefined || Number.isNaN(value) ? 'n/a' : formatAmount(value, unit),
    `${sign} ${formatWithUnit(String(limit), unit)}`,
    formatVerdict(figure),
    formatTime(latencies?.quantile(0.5) ?? figure.p50),
    formatTime(latencies?.quantile(0.99) ?? figure.p99),
    note,
  ]
}

function formatAmount(value: number, unit: Figure['unit']): string {
  return formatWithUnit(
    unit === 'bytes' || unit === 'count' ? value.toFixed(0) : value.toFixed(2),
    unit,
  )
}

function formatWithUnit(text: string, unit: Figure['unit']): string {
  if (unit === 'ratio' || unit === 'count') return text
  if (unit === 'growth') return `${text} ×`
  return `${text} ${unit}`
}

function formatTime(value: number | undefined): string {
  return value === undefined || Number.isNaN(value) ? '' : value.toFixed(2)
}
