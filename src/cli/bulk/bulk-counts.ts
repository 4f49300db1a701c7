import type { Segmentation } from '../../domain/sms/segments.js'
import { counted } from '../../util/text/plural.js'
import { oneLine } from '../terminal/terminal-text.js'
import type { RowResult, RowStatus } from './send-rows.js'

/** How many rows ended how. */
export type Tally = Record<RowStatus, number>

/** A {@link Tally} of no rows. */
export function emptyTally(): Tally {
  return { accepted: 0, blocked: 0, skipped: 0, refused: 0, invalid: 0, unknown: 0 }
}

/** All rows of a tally. */
export function settledRows(tally: Tally): number {
  return Object.values(tally).reduce((sum, each) => sum + each, 0)
}

/** Messages and parts on the air, by alphabet. */
export interface PartsTally {
  messages: number
  parts: number
  readonly alphabets: Record<Segmentation['alphabet'], number>
}

/** Counts a text. */
export function countParts(tally: PartsTally, { alphabet, parts }: Segmentation): void {
  tally.messages += 1
  tally.parts += parts
  tally.alphabets[alphabet] += 1
}

const words: Record<RowStatus, string> = {
  accepted: 'accepted',
  blocked: 'blocked by the Do Not Text list',
  skipped: 'accepted earlier',
  refused: 'refused by the relay',
  invalid: 'left out as invalid',
  unknown: 'of which nobody knows whether they were accepted',
}

/** How a job ended, for people. */
export function tallyLine(rows: number, tally: Tally): string {
  const parts = (Object.keys(words) as RowStatus[])
    .filter(status => tally[status] > 0)
    .map(status => `${tally[status]} ${words[status]}`)
  return `${counted(rows, 'row')}: ${parts.length === 0 ? 'none sent' : parts.join(', ')}.`
}

/** What a file would send, for people. */
export function partsLine({ messages, parts, alphabets }: PartsTally): string {
  const { 'GSM-7': gsm, 'UCS-2': ucs } = alphabets
  return `${counted(messages, 'message')}, ${counted(parts, 'part')} (GSM-7: ${gsm}, UCS-2: ${ucs}).`
}

/** A row, for people. */
export function rowLine({ line, status, id, destination, reasons }: RowResult): string {
  const why = reasons === undefined ? '' : `: ${oneLine(reasons.join('; '))}`
  return `line ${line}  ${id ?? '-'}  ${oneLine(destination)}  ${status}${why}`
}
