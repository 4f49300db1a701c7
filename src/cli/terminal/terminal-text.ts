/** Control characters except tab and line feed, and marks that reorder text. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
/** Terminal escape sequences of ECMA-48: CSI, strings that end in BEL or ST, and short ones. */
const escapes = new RegExp(
  [
    '(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]',
    '\\u001b[\\]PX^_][^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)',
    '\\u001b[ -/]*[0-~]',
  ].join('|'),
  'g',
)
/** Characters that take two terminal columns: Hangul, CJK, fullwidth forms and emoji. */
const wide = new RegExp(
  '[\\u1100-\\u115f\\u2e80-\\u303e\\u3041-\\ua4cf\\uac00-\\ud7a3\\uf900-\\ufaff' +
    '\\ufe30-\\ufe6f\\uff00-\\uff60\\uffe0-\\uffe6]|\\p{Emoji_Presentation}',
  'u',
)
/** Printable ASCII of a terminal's text, which needs no segmenter. */
const narrow = /^[ -~]*$/
let segmenter: Intl.Segmenter | undefined

/** Removes escape sequences and control characters, which could change the terminal. */
export function cleanText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(escapes, '').replace(controls, '')
}

/** The colors and weights that commands use (ECMA-48, SGR). */
const styles = /(\u001b\[(?:[0-2]|2[1-4]|3[0-79]|9[0-7])m)/

/** As {@link cleanText}, but keeps the styles of commands, if there are any. */
export function cleanOutput(text: string, hasStyles: boolean): string {
  if (!hasStyles) return cleanText(text)
  return text
    .split(styles)
    .map((part, at) => (at % 2 === 1 ? part : cleanText(part)))
    .join('')
}

/** Formats JSON in one line, with escapes for characters that could change the terminal. */
export function formatJson(value: unknown): string {
  return JSON.stringify(value).replace(controls, escapeUnit)
}

function escapeUnit(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

export function toOneLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim()
}

export function countColumns(text: string): number {
  if (narrow.test(text)) return text.length
  let columns = 0
  for (const { segment } of segmentText(text)) columns += wide.test(segment) ? 2 : 1
  return columns
}

export function truncate(text: string, columns: number): string {
  if (countColumns(text) <= columns) return text
  if (narrow.test(text)) return `${text.slice(0, Math.max(columns - 1, 0))}…`
  let start = ''
  let used = 1
  for (const { segment } of segmentText(text)) {
    used += wide.test(segment) ? 2 : 1
    if (used > columns) break
    start += segment
  }
  return `${start}…`
}

/** Breaks a text at spaces into lines of at most this many columns, after an indent. */
export function wrapText(text: string, columns: number, indent = ''): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && countColumns(longer) > columns) lines.push(line)
    line = line !== '' && countColumns(longer) > columns ? word : longer
  }
  return [...lines, line].map(each => indent + each).join('\n')
}

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

/**
 * Splits a terminal's text into grapheme clusters. The segmenter is created on first use, because
 * it takes 20 ms.
 */
function segmentText(text: string): Iterable<{ segment: string }> {
  segmenter ??= new Intl.Segmenter()
  return segmenter.segment(text)
}
