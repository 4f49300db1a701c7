import { errorText, isRelayError } from '../../../errors.js'
import { countColumns } from '../../terminal/terminal-text.js'

export interface CheckResult {
  readonly check: string
  readonly result: 'ok' | 'warning' | 'failed'
  readonly detail: string
  readonly hint?: string
}

export function createOk(check: string, detail: string): CheckResult {
  return { check, result: 'ok', detail }
}

export function createWarning(check: string, detail: string, hint?: string): CheckResult {
  return { check, result: 'warning', detail, ...(hint === undefined ? {} : { hint }) }
}

export function createFailure(check: string, detail: string, hint?: string): CheckResult {
  return { check, result: 'failed', detail, ...(hint === undefined ? {} : { hint }) }
}

export function toFailure(check: string, error: unknown): CheckResult {
  return createFailure(check, errorText(error), isRelayError(error) ? error.hint : undefined)
}

export function formatCheckResult({ check, result, detail, hint }: CheckResult): string {
  const padding = ' '.repeat(Math.max(12 - countColumns(check), 0))
  const start = `${result.padEnd(7)}  ${check}${padding}  `
  if (hint === undefined) return `${start}${detail}`
  return `${start}${detail}\n${' '.repeat(countColumns(start))}→ ${hint}`
}
