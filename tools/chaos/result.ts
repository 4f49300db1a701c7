import type { DeliveryMode } from '../../src/domain/account/account.js'
import { formatTable } from '../report/page.js'
import type { Findings } from './oracle/check-history.js'
import type { Faults, Scenario } from './scenarios/scenario.js'

/** A row of the table. */
export interface Result {
  readonly scenario: Scenario
  readonly mode: DeliveryMode
  /** Absent, like the findings, if the row did not finish. */
  readonly faults?: Faults
  readonly findings?: Findings
  readonly violations: readonly string[]
}

/** Findings that violate the requirements in README.md. */
export function listViolations(
  { killsInsideDriver }: Pick<Scenario, 'killsInsideDriver'>,
  mode: DeliveryMode,
  { missed }: Pick<Faults, 'missed'>,
  {
    lost,
    doubled,
    unexcused: needlessly,
    missing,
    unconfirmed,
    disordered,
    receivedTexts: incoming,
    unexplained: strange,
  }: Findings,
): string[] {
  const mayDouble = mode === 'at-least-once' && killsInsideDriver
  return [
    ...lost,
    ...(mayDouble ? needlessly : doubled),
    ...missing,
    ...unconfirmed,
    ...disordered,
    ...incoming.lost,
    ...incoming.doubled,
    ...incoming.disordered,
    ...strange,
    ...missed.map(fault => `did not happen: ${fault}`),
  ]
}

const columnHeads = [
  'What happens',
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

/** The results as a markdown table. */
export function formatMatrix(results: readonly Result[]): string {
  return formatTable(columnHeads, results.map(formatCells))
}

function formatCells({
  scenario: cell,
  mode,
  faults,
  findings,
  violations: wrong,
}: Result): string[] {
  const verdict = wrong.length === 0 ? 'ok' : 'VIOLATED'
  if (faults === undefined || findings === undefined) {
    return [cell.title, mode, ...Array.from({ length: columnHeads.length - 3 }, () => ''), verdict]
  }
  const {
    accepted,
    sent,
    lost,
    doubled,
    missing,
    disordered,
    locked: left,
    repeated,
    receivedTexts: incoming,
  } = findings
  const lists = [lost, doubled, missing, disordered].map(list => list.length)
  const numbers = [faults.made, accepted, sent, ...lists, left, repeated]
  const { texts } = incoming
  const wrongOnes = [incoming.lost, incoming.doubled, incoming.disordered].map(each => each.length)
  const came = texts === 0 ? ['', ''] : [String(texts), wrongOnes.join(', ')]
  return [cell.title, mode, ...numbers.map(String), ...came, verdict]
}
