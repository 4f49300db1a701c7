/** Begins a CSV file for people: by this byte order mark, spreadsheets recognize UTF-8. */
export const csvFileStart = '\u{feff}'

/** The first characters of a spreadsheet formula (CSV injection), also in full width. */
const formulaStart = /^'*[=+\-@\t\r＝＋－＠]/u

/**
 * Formats a row of CSV (RFC 4180) with its line end. An apostrophe is put before a cell that a
 * spreadsheet would run as a formula.
 */
export function formatCsvRow(cells: readonly string[]): string {
  return `${cells.map(escapeFormula).map(quoteCell).join(',')}\r\n`
}

/** Phone numbers and plain numbers are harmless formulas, and other programs must read them. */
function escapeFormula(text: string): string {
  const isHarmless = /^\+\d+$/.test(text) || /^-?\d+(?:\.\d+)?$/.test(text)
  return formulaStart.test(text) && !isHarmless ? `'${text}` : text
}

function quoteCell(text: string): string {
  return /[",\r\n]|^\s|\s$/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
