/** The units of a rate, in milliseconds. */
export const rateUnits = { s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** How often: so many a unit. */
export interface CountRate {
  /** May have a fraction. */
  readonly count: number
  readonly unit: keyof typeof rateUnits
}

/** Reads `30/min`; the units are s, min (or m), h and d. Undefined for anything else, and for none at all. */
export function parseCountRate(text: string): CountRate | undefined {
  const [, digits, unit = ''] =
    /^\s*(\d{1,7}(?:\.\d{1,3})?)\s*\/\s*(s|m|min|h|d)\s*$/.exec(text) ?? []
  const count = Number(digits)
  if (!(count > 0)) return undefined
  return { count, unit: unit === 'm' ? 'min' : (unit as CountRate['unit']) }
}

/** The same where only whole numbers make sense, up to `most`. */
export function parseWholeRate(text: string, most: number): CountRate | undefined {
  const rate = parseCountRate(text)
  return rate !== undefined && Number.isInteger(rate.count) && rate.count <= most ? rate : undefined
}
