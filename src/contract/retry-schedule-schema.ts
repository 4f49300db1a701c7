import * as z from 'zod/mini'
import { limits } from '../domain/limits.js'
import { describe, extension } from './schema/describe.js'

const scheduleError =
  `must be 1 to ${limits.retryDelays} delays in seconds, each 1 to ${limits.retryDelay}, ` +
  `together at most ${limits.retryTime}; or empty for the default`

/**
 * A subscription's delays before each retry in seconds, or from a form their list; empty: null, the
 * default.
 */
export const retrySchedule = z.lazy(() => {
  const schema = z
    .pipe(
      z.union([z.array(z.number()), z.null(), z.string()], { error: scheduleError }),
      z.transform(value => parseRetrySchedule(value)),
    )
    .check(z.refine(value => value === null || isRetrySchedule(value), { error: scheduleError }))
  const description =
    `The delays before each retry of an event, together at most ${limits.retryTime} seconds. ` +
    'Empty or null: the default delays. In a form: numbers separated by commas.'
  const items = { type: 'integer', minimum: 1, maximum: limits.retryDelay }
  const replace = { type: ['array', 'null'], maxItems: limits.retryDelays, items }
  return describe(schema, description, { replace, ...extension, 'x-unit': 'seconds' })
})

function parseRetrySchedule(value: readonly number[] | string | null): number[] | null {
  const delays = typeof value === 'string' ? splitDelays(value) : (value ?? [])
  return delays.length === 0 ? null : [...delays]
}

function splitDelays(text: string): number[] {
  const list = text.trim().replace(/^\[(.*)\]$/, '$1')
  if (list === '') return []
  return list.split(',').map(part => (/^\s*\d{1,9}\s*$/.test(part) ? Number(part) : Number.NaN))
}

function isRetrySchedule(delays: readonly number[]): boolean {
  const isDelay = (delay: number): boolean =>
    Number.isInteger(delay) && delay >= 1 && delay <= limits.retryDelay
  if (delays.length > limits.retryDelays || !delays.every(isDelay)) return false
  return delays.reduce((sum, delay) => sum + delay, 0) <= limits.retryTime
}
