import type { Histogram } from '../load/histogram.js'

/** One row of the table. */
export interface Figure {
  readonly row: string
  /** Undefined if it could not be measured. */
  readonly value: number | undefined
  readonly unit: 'ratio' | 'growth' | 'ms' | 'µs' | 's' | '/s' | 'bytes' | 'count'
  readonly target: { readonly least: number } | { readonly most: number }
  readonly latencies?: Histogram | undefined
  /** p99 without a histogram. */
  readonly p50?: number
  readonly p99?: number
  readonly note?: string
}

/** Whether the figure meets its target. */
export function formatVerdict({ value, target }: Figure): 'ok' | 'short' | 'n/a' {
  if (value === undefined || Number.isNaN(value)) return 'n/a'
  const meets = 'least' in target ? value >= target.least : value <= target.most
  return meets ? 'ok' : 'short'
}
