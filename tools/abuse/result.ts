import { formatTable } from '../report/page.js'

/** A measured value and its limit. */
export interface Figure {
  readonly what: string
  readonly value: number
  readonly unit: string
  /** Undefined for a value that only explains others. */
  readonly limit?: { readonly max: number } | { readonly min: number } | undefined
}

/** The figures of a scenario; `error` if it did not finish. */
export interface Result {
  readonly title: string
  readonly figures: readonly Figure[]
  readonly error?: string | undefined
}

/** Whether a figure is within its limit. NaN never is. */
export function isWithinLimit({ value, limit }: Figure): boolean {
  if (limit === undefined) return true
  return 'max' in limit ? value <= limit.max : value >= limit.min
}

/** What failed, one sentence each; a scenario without any checked figure failed, too. */
export function listViolations(results: readonly Result[]): string[] {
  return results.flatMap(({ title, figures, error }) => {
    if (error !== undefined) return [`${title}: ${error}`]
    if (!figures.some(({ limit }) => limit !== undefined)) return [`${title}: nothing was checked`]
    const beyond = figures.filter(figure => !isWithinLimit(figure))
    return beyond.map(figure => `${title}: ${figure.what} is ${formatValue(figure)}`)
  })
}

const columnHeads = ['Abuse', 'Measured', 'Figure', 'Limit', '']

export function formatResults(results: readonly Result[]): string {
  const rows = results.flatMap(({ title, figures, error }) => [
    ...figures.map((figure, index) => [
      index === 0 ? title : '',
      figure.what,
      formatValue(figure),
      formatLimit(figure),
      figure.limit === undefined ? '' : isWithinLimit(figure) ? 'ok' : 'VIOLATED',
    ]),
    ...(error === undefined ? [] : [[title, error, '', '', 'VIOLATED']]),
  ])
  return formatTable(columnHeads, rows)
}

function formatValue({ value, unit }: Pick<Figure, 'value' | 'unit'>): string {
  const digits = Number.isInteger(value) || Math.abs(value) >= 100 ? 0 : 1
  return `${value.toFixed(digits)} ${unit}`.trimEnd()
}

function formatLimit({ limit, unit }: Figure): string {
  if (limit === undefined) return ''
  if ('max' in limit) {
    return limit.max === 0 ? '0' : `at most ${formatValue({ value: limit.max, unit })}`
  }
  return `at least ${formatValue({ value: limit.min, unit })}`
}

/** A figure with an upper limit. */
export function limitFigure(what: string, value: number, unit: string, max: number): Figure {
  return { what, value, unit, limit: { max } }
}
