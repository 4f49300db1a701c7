/** Milliseconds of each unit. */
export const rateUnits = { s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 } as const

export interface CountRate {
  readonly count: number
  readonly unit: keyof typeof rateUnits
}

/**
 * Parses a number for each unit of time, such as `30/min`; the units are s, min (or m), h and d.
 * The number must be above 0.
 */
export function parseCountRate(text: string): CountRate | undefined {
  const [, digits, unit = ''] =
    /^\s*(\d{1,7}(?:\.\d{1,3})?)\s*\/\s*(s|m|min|h|d)\s*$/.exec(text) ?? []
  const count = Number(digits)
  if (!(count > 0)) return undefined
  return { count, unit: unit === 'm' ? 'min' : (unit as CountRate['unit']) }
}

export function parseWholeRate(text: string, max: number): CountRate | undefined {
  const rate = parseCountRate(text)
  return rate !== undefined && Number.isInteger(rate.count) && rate.count <= max ? rate : undefined
}
