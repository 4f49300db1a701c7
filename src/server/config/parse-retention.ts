const minute = 60_000
const day = 24 * 60 * minute
const units: Readonly<Record<string, number>> = { m: minute, h: 60 * minute, d: day, w: 7 * day }
const maxRetention = 36_500 * day

/**
 * Parses a setting such as `90d` to milliseconds: a whole number and m, h, d or w, to 100 years.
 */
export function parseRetention(text: string): number | undefined {
  const [, digits, unit = ''] = /^([1-9]\d{0,7})([mhdw])$/.exec(text) ?? []
  const milliseconds = Number(digits) * (units[unit] ?? Number.NaN)
  return milliseconds <= maxRetention ? milliseconds : undefined
}
