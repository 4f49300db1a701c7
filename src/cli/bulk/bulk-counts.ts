import type { SmsPartCount } from '../../domain/sms/sms-parts.js'
import { pluralize } from '../../util/text/plural.js'
import { toOneLine } from '../terminal/terminal-text.js'
import type { RowResult, RowStatus } from './send-rows.js'

export type BulkCounts = Record<RowStatus, number>

export function createBulkCounts(): BulkCounts {
  return { accepted: 0, blocked: 0, refused: 0, invalid: 0, unknown: 0 }
}

export function countFinishedRows(counts: BulkCounts): number {
  return Object.values(counts).reduce((sum, each) => sum + each, 0)
}

export interface PartCounts {
  messages: number
  parts: number
  readonly alphabets: Record<SmsPartCount['alphabet'], number>
}

export function addParts(counts: PartCounts, { alphabet, parts }: SmsPartCount): void {
  counts.messages += 1
  counts.parts += parts
  counts.alphabets[alphabet] += 1
}

const statusPhrases: Record<RowStatus, string> = {
  accepted: 'accepted',
  blocked: 'blocked by the Do Not Text list',
  refused: 'rejected by the relay',
  invalid: 'skipped as invalid',
  unknown: 'with an unknown result',
}

export function formatBulkCounts(rows: number, counts: BulkCounts): string {
  const phrases = (Object.keys(statusPhrases) as RowStatus[])
    .filter(status => counts[status] > 0)
    .map(status => `${counts[status]} ${statusPhrases[status]}`)
  return `${pluralize(rows, 'row')}: ${phrases.length === 0 ? 'none sent' : phrases.join(', ')}.`
}

export function formatPartCounts({ messages, parts, alphabets }: PartCounts): string {
  const { 'GSM-7': gsm, 'UCS-2': ucs } = alphabets
  const total = `${pluralize(messages, 'message')}, ${pluralize(parts, 'part')}`
  return `${total} (GSM-7: ${gsm}, UCS-2: ${ucs}).`
}

export function formatRow({ line, status, id, destination, reasons }: RowResult): string {
  const why = reasons === undefined ? '' : `: ${toOneLine(reasons.join('; '))}`
  return `line ${line}  ${id ?? '-'}  ${toOneLine(destination)}  ${status}${why}`
}
