import {
  isAttribution,
  isDated,
  isDeviceLine,
  isForwardMark,
  isOriginalMark,
  isQuotedHead,
} from './reply-phrases.js'

/** An attribution is wrapped over so many lines at most. */
const attributionLines = 3

/**
 * What a person wrote in a mail: without quotations and the line above them, without the signature (RFC 3676
 * section 4.3) and the line that says what it was written on. What is passed on stays.
 */
export function ownWords(text: string): string {
  const lines = text.split('\n')
  const forward = lines.findIndex(isForwardMark)
  if (forward === -1) return ownLines(lines).join('\n').trim()
  const passedOn = lines.slice(forward).map(withoutQuoteMarks)
  return [...ownLines(lines.slice(0, forward)), ...passedOn].join('\n').trim()
}

function ownLines(lines: readonly string[]): string[] {
  const written = withoutQuotes(untilOriginal(lines))
  const signature = written.findIndex(line => /^--[ \u00a0]$/.test(line))
  return withoutDeviceLines(signature === -1 ? written : written.slice(0, signature))
}

/** The lines above an answered mail that stands below without marks, unless nothing is above it. */
function untilOriginal(lines: readonly string[]): readonly string[] {
  const start = lines.findIndex(
    (line, at) => isOriginalMark(line) || isQuotedHead(line, nextFilled(lines, at)),
  )
  if (start === -1) return lines
  const above = lines.slice(0, start)
  const rule = above.findLastIndex(line => line.trim() !== '')
  const kept = /^_{5,}$/.test(above[rule]?.trim() ?? '') ? above.slice(0, rule) : above
  return kept.some(line => line.trim() !== '') ? kept : lines
}

function nextFilled(lines: readonly string[], at: number): string {
  const next = lines[at + 1] ?? ''
  return next.trim() === '' ? (lines[at + 2] ?? '') : next
}

function withoutQuotes(lines: readonly string[]): string[] {
  const kept: string[] = []
  let quoted = false
  for (const line of lines) {
    const isQuoted = isQuote(line)
    if (isQuoted && !quoted) dropAttribution(kept)
    quoted = isQuoted || (quoted && line.trim() === '')
    if (!isQuoted) kept.push(line)
  }
  return kept
}

function isQuote(line: string): boolean {
  return /^\s{0,3}>/.test(line)
}

function withoutQuoteMarks(line: string): string {
  return line.replace(/^\s{0,3}(?:> ?)+/, '')
}

/** Takes the line above a quotation off the end, though it be wrapped. */
function dropAttribution(lines: string[]): void {
  const last = lines.findLastIndex(line => line.trim() !== '')
  for (let first = last; first > last - attributionLines && first >= 0; first -= 1) {
    if (lines[first]?.trim() === '') return
    if (
      !isAttribution(
        lines
          .slice(first, last + 1)
          .join(' ')
          .trim(),
      )
    )
      continue
    lines.length = startOf(lines, first, last)
    return
  }
}

/** Where an attribution begins whose last line alone is known as one: with the line that has the date. */
function startOf(lines: readonly string[], first: number, last: number): number {
  for (let at = first; at > last - attributionLines && at >= 0; at -= 1) {
    if (lines[at]?.trim() === '') return first
    if (isDated(lines[at] ?? '')) return at
  }
  return first
}

function withoutDeviceLines(lines: readonly string[]): string[] {
  const last = lines.findLastIndex(line => line.trim() !== '')
  const line = lines[last]
  return line !== undefined && isDeviceLine(line) ? lines.slice(0, last) : [...lines]
}
