const special = /["\\]/
const allSpecial = /["\\]/g

export function formatNumber(value: number | undefined): string {
  return value === undefined ? ',NULL' : `,${value}`
}

export function formatText(value: string | undefined): string {
  if (value === undefined) return ',NULL'
  return special.test(value) ? `,"${value.replace(allSpecial, '\\$&')}"` : `,"${value}"`
}

export function toArrayLiteral(elements: string): string {
  return `{${elements.slice(1)}}`
}

export function formatNumbers(values: readonly (number | undefined)[]): string {
  let text = ''
  for (const value of values) text += formatNumber(value)
  return toArrayLiteral(text)
}

export function formatTexts(values: readonly (string | undefined)[]): string {
  let text = ''
  for (const value of values) text += formatText(value)
  return toArrayLiteral(text)
}
