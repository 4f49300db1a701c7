const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
/** Escape sequences of ECMA-48: CSI, strings that end in BEL or ST, and short ones. */
const escapes =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[ -/]*[0-~]/g
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u
/** Letters that take one column each, as nearly every text has; it needs no segmenter. */
const narrow = /^[ -~]*$/
let segmenter: Intl.Segmenter | undefined

/** Text that cannot steer a terminal: without escape sequences, control characters but line feeds, and reordering marks. */
export function cleanText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(escapes, '').replace(controls, '')
}

/** {@link clean} text on one line. */
export function toOneLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim()
}

/** Columns a cleaned text takes on a terminal. */
export function countColumns(text: string): number {
  if (narrow.test(text)) return text.length
  let columns = 0
  for (const { segment } of segmentLetters(text)) columns += wide.test(segment) ? 2 : 1
  return columns
}

/** The text cut to so many columns, with an ellipsis where something was cut. */
export function truncate(text: string, columns: number): string {
  if (countColumns(text) <= columns) return text
  if (narrow.test(text)) return `${text.slice(0, Math.max(columns - 1, 0))}…`
  let kept = ''
  let used = 1
  for (const { segment } of segmentLetters(text)) {
    used += wide.test(segment) ? 2 : 1
    if (used > columns) break
    kept += segment
  }
  return `${kept}…`
}

/** Lines of aligned columns under a heading; the last column is cut to fit `columns` where given. */
export function formatTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  columns?: number,
): string {
  const lines = [head, ...rows.map(row => row.map(toOneLine))]
  const widths = head.map((_, at) => Math.max(...lines.map(line => countColumns(line[at] ?? ''))))
  return lines.map(line => alignLine(line, widths, columns)).join('\n')
}

/** Lines of `name  value`, with the values aligned; a value of several lines keeps them. */
export function formatFields(values: Readonly<Record<string, string | number | boolean>>): string {
  const names = Object.keys(values)
  const width = Math.max(...names.map(name => name.length))
  const indent = `\n${' '.repeat(width + 2)}`
  return Object.entries(values)
    .map(([name, value]) => {
      const text = cleanText(String(value)).split('\n').join(indent)
      return `${name.padEnd(width)}  ${text}`
    })
    .join('\n')
}

/** What a reader takes for letters; the segmenter takes 20 ms to make, so it is made when it is used. */
function segmentLetters(text: string): Iterable<{ segment: string }> {
  segmenter ??= new Intl.Segmenter()
  return segmenter.segment(text)
}

function alignLine(line: readonly string[], widths: readonly number[], columns?: number): string {
  const last = line.length - 1
  const start = line
    .slice(0, last)
    .map((cell, at) => cell + ' '.repeat((widths[at] ?? 0) - countColumns(cell) + 2))
    .join('')
  const room = columns === undefined ? undefined : Math.max(columns - countColumns(start), 10)
  const end = line[last] ?? ''
  return `${start}${room === undefined ? end : truncate(end, room)}`.trimEnd()
}
