import {
  isAttribution,
  isDatedLine,
  isDeviceLine,
  isForwardMark,
  isOriginalMark,
  isQuotedHead,
} from './reply-phrases.js'

/** Lines that an attribution above a mail's quotation can span. */
const attributionLines = 3

/**
 * Returns what the author of a mail wrote: removes quotations with the attribution above them, the
 * signature (RFC 3676, section 4.3) and a line such as `Sent from my iPhone`. A forwarded mail
 * stays.
 */
export function removeQuotes(text: string): string {
  const lines = text.split('\n')
  const forward = lines.findIndex(isForwardMark)
  if (forward === -1) return keepOwnLines(lines).join('\n').trim()
  const forwardedLines = lines.slice(forward).map(removeQuoteMarks)
  return [...keepOwnLines(lines.slice(0, forward)), ...forwardedLines].join('\n').trim()
}

function keepOwnLines(lines: readonly string[]): string[] {
  const written = removeQuotedLines(truncateAtOriginal(lines))
  const signature = written.findIndex(line => /^--[ \u00a0]$/.test(line))
  return removeDeviceLine(signature === -1 ? written : written.slice(0, signature))
}

/** Removes an original mail that is quoted without `>`, unless there is nothing above it. */
function truncateAtOriginal(lines: readonly string[]): readonly string[] {
  const start = lines.findIndex(
    (line, at) => isOriginalMark(line) || isQuotedHead(line, getNextFilledLine(lines, at)),
  )
  if (start === -1) return lines
  const above = lines.slice(0, start)
  const rule = above.findLastIndex(line => line.trim() !== '')
  const rest = /^_{5,}$/.test(above[rule]?.trim() ?? '') ? above.slice(0, rule) : above
  return rest.some(line => line.trim() !== '') ? rest : lines
}

function getNextFilledLine(lines: readonly string[], at: number): string {
  const next = lines[at + 1] ?? ''
  return next.trim() === '' ? (lines[at + 2] ?? '') : next
}

function removeQuotedLines(lines: readonly string[]): string[] {
  const rest: string[] = []
  let quoted = false
  for (const line of lines) {
    const isQuoted = isQuotedLine(line)
    if (isQuoted && !quoted) removeAttribution(rest)
    quoted = isQuoted || (quoted && line.trim() === '')
    if (!isQuoted) rest.push(line)
  }
  return rest
}

function isQuotedLine(line: string): boolean {
  return /^\s{0,3}>/.test(line)
}

function removeQuoteMarks(line: string): string {
  return line.replace(/^\s{0,3}(?:> ?)+/, '')
}

/** Removes a quotation's attribution, which can be wrapped, from the end of the mail's lines. */
function removeAttribution(lines: string[]): void {
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
    lines.length = findAttributionStart(lines, first, last)
    return
  }
}

/** The first line of a quotation's attribution, which has the date. */
function findAttributionStart(lines: readonly string[], first: number, last: number): number {
  for (let at = first; at > last - attributionLines && at >= 0; at -= 1) {
    if (lines[at]?.trim() === '') return first
    if (isDatedLine(lines[at] ?? '')) return at
  }
  return first
}

function removeDeviceLine(lines: readonly string[]): string[] {
  const last = lines.findLastIndex(line => line.trim() !== '')
  const line = lines[last]
  return line !== undefined && isDeviceLine(line) ? lines.slice(0, last) : [...lines]
}
