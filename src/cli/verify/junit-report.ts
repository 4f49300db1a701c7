import type { RuleResult } from './run-rules.js'
import { countResults } from './verify-view.js'

export function formatJunitReport(url: string, results: readonly RuleResult[]): string {
  const { failed, skipped } = countResults(results)
  const time = results.reduce((sum, { milliseconds }) => sum + milliseconds, 0)
  const attributes = formatAttributes({
    name: `smsrelay verify ${url}`,
    tests: results.length,
    failures: failed,
    skipped,
    time: time / 1000,
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite${attributes}>`,
    ...results.map(formatCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function formatCase(each: RuleResult): string {
  const { section, rule, result, reason = '', milliseconds } = each
  const attributes = formatAttributes({
    classname: `section ${section}`,
    name: rule,
    time: milliseconds / 1000,
  })
  if (result === 'pass') return `    <testcase${attributes}/>`
  const content =
    result === 'skipped'
      ? `<skipped${formatAttributes({ message: reason })}/>`
      : formatFailure(each)
  return `    <testcase${attributes}>${content}</testcase>`
}

function formatFailure({ sent = '', expected = '', got = '' }: RuleResult): string {
  const attributes = formatAttributes({ message: `expected ${expected}` })
  const text = `sent: ${sent}\nexpected: ${expected}\ngot: ${got}`
  return `<failure${attributes}>${escapeXml(text)}</failure>`
}

function formatAttributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('')
}

/** Escapes text for XML 1.0, which has no characters for most control codes. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
