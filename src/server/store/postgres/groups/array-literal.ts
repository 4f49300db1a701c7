const special = /["\\]/
const allSpecial = /["\\]/g

/** A number as an element of {@link toArrayLiteral}. */
export function formatNumber(value: number | undefined): string {
  return value === undefined ? ',NULL' : `,${value}`
}

/** A text as an element of {@link toArrayLiteral}. */
export function formatText(value: string | undefined): string {
  if (value === undefined) return ',NULL'
  return special.test(value) ? `,"${value.replace(allSpecial, '\\$&')}"` : `,"${value}"`
}

/** Joined elements as the text of a PostgreSQL array: one parameter of a grouped statement. */
export function toArrayLiteral(elements: string): string {
  return `{${elements.slice(1)}}`
}

/** Numbers as the text of a PostgreSQL array. */
export function formatNumbers(values: readonly (number | undefined)[]): string {
  let text = ''
  for (const value of values) text += formatNumber(value)
  return toArrayLiteral(text)
}

/** Texts as the text of a PostgreSQL array. */
export function formatTexts(values: readonly (string | undefined)[]): string {
  let text = ''
  for (const value of values) text += formatText(value)
  return toArrayLiteral(text)
}
