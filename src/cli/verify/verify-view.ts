import { toOneLine } from '../terminal/terminal-text.js'
import type { RuleResult } from './run-rules.js'

export interface VerifyCounts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

export function countResults(results: readonly RuleResult[]): VerifyCounts {
  const count = (wanted: RuleResult['result']): number =>
    results.filter(({ result }) => result === wanted).length
  return { passed: count('pass'), failed: count('fail'), skipped: count('skipped') }
}

const resultWidth = 9
const sectionWidth = 5
const indent = ' '.repeat(resultWidth + sectionWidth)

/** Formats a rule of `verify`: one line, and below a failed one the request and the reply. */
export function formatRuleResult(each: RuleResult): string {
  const { section, rule, result, reason, sent, expected, got } = each
  const start = result.padEnd(resultWidth) + section.padEnd(sectionWidth)
  if (reason !== undefined) return `${start}${rule} (${toOneLine(reason)})`
  const lines = Object.entries({ sent, expected, got }).flatMap(([name, text]) =>
    text === undefined ? [] : [`${indent}${name.padEnd(resultWidth)} ${toOneLine(text)}`],
  )
  return [`${start}${rule}`, ...lines].join('\n')
}

export function formatVerifyCounts({ passed, failed, skipped }: VerifyCounts): string {
  const total = passed + failed + skipped
  return `${total} rules: ${passed} passed, ${failed} failed, ${skipped} skipped.`
}
