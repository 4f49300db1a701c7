/** Begins a CSV file for people: by this byte order mark, spreadsheets recognize UTF-8. */
export const csvFileStart = '\u{feff}'

// Spreadsheets split at commas, semicolons or tabs, depending on their country, and at line ends
// inside of a cell as soon as they take its quotes for letters. So a part of a cell behind one of
// these is a cell to them.
const partStart = '(?<=^|[;\\t\\r\\n])'
const blanks = '[^\\S\\t\\r\\n]*'
/** The first characters of a spreadsheet formula (CSV injection), also in full width. */
const formula = `(?:['"]|[^\\S\\t\\r\\n])*[=+\\-@＝＋－＠]`
/** Phone numbers and plain numbers are harmless formulas, and other programs must read them. */
const harmless = `${blanks}(?:\\+\\d+|-?\\d+(?:\\.\\d+)?)(?:$|[;\\t\\r\\n])`
const unsafePart = new RegExp(`${partStart}(?!${harmless})(?=${formula})|^(?='*[\\t\\r])`, 'gu')
const escapedPart = new RegExp(`${partStart}'(?=${formula})|^'(?='*[\\t\\r])`, 'gu')

/**
 * Formats a row of CSV (RFC 4180) with its line end. An apostrophe is put before each part of a
 * cell that a spreadsheet would run as a formula.
 */
export function formatCsvRow(cells: readonly string[]): string {
  return `${cells
    .map(cell => cell.replace(unsafePart, "'"))
    .map(quoteCell)
    .join(',')}\r\n`
}

/** Removes the apostrophes of {@link formatCsvRow} from a cell that was read. */
export function unescapeFormulas(cell: string): string {
  return cell.replace(escapedPart, '')
}

function quoteCell(text: string): string {
  return /[",\r\n]|^\s|\s$/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
