import { RelayError } from '../../errors.js'

/** A limit: so many parts in any stretch of so many milliseconds. */
export interface Rate {
  readonly parts: number
  readonly period: number
  /** As people write it, such as `30/min`. */
  readonly name: string
}

const periods: Readonly<Record<string, number>> = {
  s: 1000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}
const most = 1_000_000

/** Reads `30/min`, `1/s`, `500/h` or `1000/d`. Throws `usage`. */
export function parseRate(text: string): Rate {
  const [, digits, unit = ''] = /^\s*(\d{1,7})\s*\/\s*([a-z]+)\s*$/.exec(text) ?? []
  const parts = Number(digits)
  const period = Object.hasOwn(periods, unit) ? periods[unit] : undefined
  if (period !== undefined && parts >= 1 && parts <= most) {
    return { parts, period, name: `${parts}/${unit}` }
  }
  throw new RelayError('usage', `--rate must be parts per time, such as 30/min; not "${text}".`, {
    hint: `A whole number from 1 to ${most}, and /s, /min, /h or /d. Write 30/h, not 0.5/min.`,
  })
}

/** The limit of the shortest period, by which texts are spaced. */
export function spacingRate(rates: readonly Rate[]): Rate | undefined {
  const [first] = [...rates].sort((a, b) => a.period - b.period || a.parts - b.parts)
  return first
}
