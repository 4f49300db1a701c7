import type { DeliveryMode } from '../../src/domain/account/account.js'
import type { Cell, Faults } from './cells/cell.js'
import type { Findings } from './oracle/judge.js'

/** A row of the table. */
export interface Result {
  readonly cell: Cell
  readonly mode: DeliveryMode
  /** Absent, like the findings, if the row failed. */
  readonly faults?: Faults
  readonly findings?: Findings
  /** Violated promises, one sentence each. */
  readonly violations: readonly string[]
}

/** The findings that violate a promise (tools/chaos/README.md). */
export function violations(
  { killsInsideDriver }: Pick<Cell, 'killsInsideDriver'>,
  mode: DeliveryMode,
  { absent }: Pick<Faults, 'absent'>,
  { lost, doubled, needlessly, missing, disordered, incoming, strange }: Findings,
): string[] {
  const mayDouble = mode === 'at-least-once' && killsInsideDriver
  return [
    ...lost,
    ...(mayDouble ? needlessly : doubled),
    ...missing,
    ...disordered,
    ...incoming.lost,
    ...incoming.doubled,
    ...incoming.disordered,
    ...strange,
    ...absent.map(fault => `did not happen: ${fault}`),
  ]
}

const heads = [
  'Fault',
  'Mode',
  'Faults',
  'Accepted',
  'Sent',
  'Lost',
  'Doubled',
  'Events missing',
  'Out of order',
  'Left to a person',
  'Webhooks repeated',
  'Texts received',
  'of them lost, doubled, out of order',
  '',
]

/** The results as one markdown table. */
export function table(results: readonly Result[]): string {
  return markdown(heads, results.map(cellsOf))
}

/** A markdown table with aligned columns. */
export function markdown(head: readonly string[], body: readonly (readonly string[])[]): string {
  const rows = [head, head.map(() => '---'), ...body]
  const widths = head.map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  const lines = rows.map(row =>
    row.map((text, column) => text.padEnd(widths[column] ?? 0, text === '---' ? '-' : ' ')),
  )
  return lines.map(texts => `| ${texts.join(' | ')} |`).join('\n')
}

function cellsOf({ cell, mode, faults, findings, violations: wrong }: Result): string[] {
  const verdict = wrong.length === 0 ? 'ok' : 'VIOLATED'
  if (faults === undefined || findings === undefined) {
    return [cell.title, mode, ...Array.from({ length: heads.length - 3 }, () => ''), verdict]
  }
  const { accepted, sent, lost, doubled, missing, disordered, left, repeated, incoming } = findings
  const lists = [lost, doubled, missing, disordered].map(list => list.length)
  const numbers = [faults.made, accepted, sent, ...lists, left, repeated]
  const { texts } = incoming
  const wrongOnes = [incoming.lost, incoming.doubled, incoming.disordered].map(each => each.length)
  const came = texts === 0 ? ['', ''] : [String(texts), wrongOnes.join(', ')]
  return [cell.title, mode, ...numbers.map(String), ...came, verdict]
}
