/** Numbers as the text of a PostgreSQL array, for one parameter of a grouped statement. */
export function formatNumbers(values: readonly (number | undefined)[]): string {
  let text = ''
  for (const value of values) text += `,${value ?? 'NULL'}`
  return `{${text.slice(1)}}`
}

const special = /["\\]/
const allSpecial = /["\\]/g

/** Texts as the text of a PostgreSQL array, for one parameter of a grouped statement. */
export function formatTexts(values: readonly (string | undefined)[]): string {
  let text = ''
  for (const value of values) {
    if (value === undefined) text += ',NULL'
    else text += special.test(value) ? `,"${value.replace(allSpecial, '\\$&')}"` : `,"${value}"`
  }
  return `{${text.slice(1)}}`
}
