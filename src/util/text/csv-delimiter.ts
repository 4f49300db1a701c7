const knownDelimiters = [',', ';', '\t', '|'] as const

/** The delimiter of a file, and the characters to skip at its beginning. */
export interface Delimiter {
  readonly delimiter: string
  readonly skip: number
}

/**
 * Detects the delimiter of a CSV file: that of a first line `sep=;`, which spreadsheets write, or
 * the one of comma, semicolon, tab and bar that occurs most often in the first line outside of
 * quotes.
 */
export function detectDelimiter(beginning: string): Delimiter {
  const declared = /^sep=(.)\n/i.exec(beginning)
  if (declared?.[1] !== undefined) return { delimiter: declared[1], skip: declared[0].length }
  const counts = new Map<string, number>()
  for (const letter of getFirstLine(beginning)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  const [delimiter] = [...knownDelimiters].sort(
    (a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0),
  )
  return { delimiter: delimiter ?? ',', skip: 0 }
}

/** Whether the beginning of a file contains its first non-empty line. */
export function hasFirstLine(beginning: string): boolean {
  return /^\n*[^\n]+\n/.test(beginning)
}

/** The first non-empty line, without quoted parts. */
function getFirstLine(beginning: string): string {
  const [line = ''] = /[^\n]+/.exec(beginning.replace(/"[^"]*"/g, '')) ?? []
  return line
}
