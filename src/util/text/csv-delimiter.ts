const knownDelimiters = [',', ';', '\t', '|'] as const

/** What separates the cells of a file, and how many characters of its beginning are not of the table. */
export interface Delimiter {
  readonly delimiter: string
  readonly skip: number
}

/**
 * The delimiter of a CSV file by its beginning: what a first line `sep=;` says, as spreadsheets write it, else
 * the one of comma, semicolon, tab and bar that is found most often in the first line outside of quotes.
 */
export function detectDelimiter(beginning: string): Delimiter {
  const told = /^sep=(.)\n/i.exec(beginning)
  if (told?.[1] !== undefined) return { delimiter: told[1], skip: told[0].length }
  const counts = new Map<string, number>()
  for (const letter of getFirstLine(beginning)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  const [delimiter] = [...knownDelimiters].sort(
    (a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0),
  )
  return { delimiter: delimiter ?? ',', skip: 0 }
}

/** Whether the beginning of a file holds its first line with something in it. */
export function hasFirstLine(beginning: string): boolean {
  return /^\n*[^\n]+\n/.test(beginning)
}

/** The first line that is not empty, without what stands in quotes. */
function getFirstLine(beginning: string): string {
  const [line = ''] = /[^\n]+/.exec(beginning.replace(/"[^"]*"/g, '')) ?? []
  return line
}
