import type { SmsPartCount } from '../../domain/sms/sms-parts.js'
import { pluralize } from '../../util/text/plural.js'
import { toOneLine } from '../terminal/terminal-text.js'
import type { RowResult, RowStatus } from './send-rows.js'

/** How many rows ended how. */
export type BulkCounts = Record<RowStatus, number>

/** A {@link Tally} of no rows. */
export function createBulkCounts(): BulkCounts {
  return { accepted: 0, blocked: 0, skipped: 0, refused: 0, invalid: 0, unknown: 0 }
}

/** All rows of a tally. */
export function countFinishedRows(tally: BulkCounts): number {
  return Object.values(tally).reduce((sum, each) => sum + each, 0)
}

/** Messages and parts on the air, by alphabet. */
export interface PartCounts {
  messages: number
  parts: number
  readonly alphabets: Record<SmsPartCount['alphabet'], number>
}

/** Counts a text. */
export function addParts(tally: PartCounts, { alphabet, parts }: SmsPartCount): void {
  tally.messages += 1
  tally.parts += parts
  tally.alphabets[alphabet] += 1
}

const statusPhrases: Record<RowStatus, string> = {
  accepted: 'accepted',
  blocked: 'blocked by the Do Not Text list',
  skipped: 'accepted earlier',
  refused: 'refused by the relay',
  invalid: 'left out as invalid',
  unknown: 'of which nobody knows whether they were accepted',
}

/** How a job ended, for people. */
export function formatBulkCounts(rows: number, tally: BulkCounts): string {
  const parts = (Object.keys(statusPhrases) as RowStatus[])
    .filter(status => tally[status] > 0)
    .map(status => `${tally[status]} ${statusPhrases[status]}`)
  return `${pluralize(rows, 'row')}: ${parts.length === 0 ? 'none sent' : parts.join(', ')}.`
}

/** What a file would send, for people. */
export function formatPartCounts({ messages, parts, alphabets }: PartCounts): string {
  const { 'GSM-7': gsm, 'UCS-2': ucs } = alphabets
  return `${pluralize(messages, 'message')}, ${pluralize(parts, 'part')} (GSM-7: ${gsm}, UCS-2: ${ucs}).`
}

/** A row, for people. */
export function formatRow({ line, status, id, destination, reasons }: RowResult): string {
  const why = reasons === undefined ? '' : `: ${toOneLine(reasons.join('; '))}`
  return `line ${line}  ${id ?? '-'}  ${toOneLine(destination)}  ${status}${why}`
}
