import { errorText, isRelayError } from '../../../errors.js'
import { countColumns } from '../../terminal/terminal-text.js'

/** What was found of one thing. */
export interface CheckResult {
  readonly check: string
  readonly result: 'ok' | 'warning' | 'failed'
  readonly detail: string
  /** What to do about it. */
  readonly hint?: string
}

/** A check that found nothing wrong. */
export function createOkResult(check: string, detail: string): CheckResult {
  return { check, result: 'ok', detail }
}

/** A check that found what may or will go wrong. */
export function createProblem(
  result: 'warning' | 'failed',
  check: string,
  detail: string,
  hint?: string,
): CheckResult {
  return { check, result, detail, ...(hint === undefined ? {} : { hint }) }
}

/** The check of an error. */
export function toFailedResult(check: string, error: unknown): CheckResult {
  const detail = errorText(error)
  return createProblem('failed', check, detail, isRelayError(error) ? error.hint : undefined)
}

/** A check on a line, with what to do on the next. */
export function formatCheckResult({ check, result, detail, hint }: CheckResult): string {
  const start = `${result.padEnd(7)}  ${check}${' '.repeat(Math.max(12 - countColumns(check), 0))}  `
  return hint === undefined
    ? `${start}${detail}`
    : `${start}${detail}\n${' '.repeat(countColumns(start))}→ ${hint}`
}
