import { isRelayError } from '../../../errors.js'
import { columnsOf } from '../../terminal/terminal-text.js'

/** What was found of one thing. */
export interface Check {
  readonly check: string
  readonly result: 'ok' | 'warning' | 'failed'
  readonly detail: string
  /** What to do about it. */
  readonly hint?: string
}

/** A check that found nothing wrong. */
export function fine(check: string, detail: string): Check {
  return { check, result: 'ok', detail }
}

/** A check that found what may or will go wrong. */
export function wrong(
  result: 'warning' | 'failed',
  check: string,
  detail: string,
  hint?: string,
): Check {
  return { check, result, detail, ...(hint === undefined ? {} : { hint }) }
}

/** The check of an error. */
export function failedBy(check: string, error: unknown): Check {
  const detail = error instanceof Error ? error.message : String(error)
  return wrong('failed', check, detail, isRelayError(error) ? error.hint : undefined)
}

/** A check on a line, with what to do on the next. */
export function checkLine({ check, result, detail, hint }: Check): string {
  const start = `${result.padEnd(7)}  ${check}${' '.repeat(Math.max(12 - columnsOf(check), 0))}  `
  return hint === undefined
    ? `${start}${detail}`
    : `${start}${detail}\n${' '.repeat(columnsOf(start))}→ ${hint}`
}
