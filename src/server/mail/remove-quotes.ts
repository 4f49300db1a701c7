import {
  isAttribution,
  isDatedLine,
  isDeviceLine,
  isForwardMark,
  isForwardSubject,
  isFullAttribution,
  isOriginalMark,
  isQuotedHead,
} from './reply-phrases.js'

const attributionLines = 3

/**
 * Returns what the author of a reply wrote: removes quotations with the attribution above them, the
 * signature (RFC 3676, section 4.3) and a line such as `Sent from my iPhone`. A forwarded mail
 * stays; Outlook and some other programs mark it by its subject only. Other mail stays as it is:
 * `>` and `From:` are text there.
 */
export function removeQuotes(text: string, subject = '', isReply = true): string {
  const lines = text.split('\n')
  const original = findOriginal(lines) ?? findUnquoted(lines)
  const isForward = isForwardSubject(subject, lines[original ?? 0])
  const start = findForward(lines, original, isForward)
  if (!isReply && (!isForward || start === undefined)) return text.trim()
  if (start === undefined) {
    const written = original === undefined ? lines : truncateAt(lines, original)
    return keepOwnLines(written).join('\n').trim()
  }
  const own = keepOwnLines(removeRule(lines.slice(0, start)))
    .join('\n')
    .trim()
  return `${own}\n\n${lines.slice(start).map(removeQuoteMarks).join('\n')}`.trim()
}

function findForward(
  lines: readonly string[],
  original: number | undefined,
  isForward: boolean,
): number | undefined {
  // In a forwarded mail, Apple Mail also quotes the mark.
  const mark = findLine(lines, line => isForwardMark(isForward ? removeQuoteMarks(line) : line))
  if (mark !== undefined && mark < (original ?? lines.length)) return mark
  return isForward ? (original ?? mark) : undefined
}

/** The line on which an original mail begins that is quoted without `>`. */
function findOriginal(lines: readonly string[]): number | undefined {
  return findLine(
    lines,
    (line, at) => isOriginalMark(line) || isQuotedHead(line, getNextFilledLine(lines, at)),
  )
}

/** The line on which Yahoo's attribution above an original mail without `>` begins. */
function findUnquoted(lines: readonly string[]): number | undefined {
  return lines.some(isQuotedLine)
    ? undefined
    : findLine(lines, line => isFullAttribution(line.trim()))
}

function findLine(
  lines: readonly string[],
  matches: (line: string, at: number) => boolean,
): number | undefined {
  const found = lines.findIndex(matches)
  return found === -1 ? undefined : found
}

function getNextFilledLine(lines: readonly string[], at: number): string {
  const next = lines[at + 1] ?? ''
  return next.trim() === '' ? (lines[at + 2] ?? '') : next
}

function keepOwnLines(lines: readonly string[]): string[] {
  const written = removeQuotedLines(lines)
  const signature = written.findIndex(line => /^--[ \u00a0]$/.test(line))
  return removeDeviceLine(signature === -1 ? written : written.slice(0, signature))
}

function truncateAt(lines: readonly string[], original: number): readonly string[] {
  const above = removeRule(lines.slice(0, original))
  return above.some(line => line.trim() !== '') ? above : lines
}

function removeRule(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex(line => line.trim() !== '')
  return /^_{5,}$/.test(lines[last]?.trim() ?? '') ? lines.slice(0, last) : lines
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
