import { parseWholeRate, rateUnits } from '../../domain/time/rate.js'
import { RelayError } from '../../errors.js'

/** A phone's rate limit: SMS parts in any period of so many milliseconds. */
export interface PartsRate {
  readonly parts: number
  readonly period: number
  /** The rate limit as people write it, such as `30/min`. */
  readonly name: string
}

const maxParts = 1_000_000

/** Parses a phone's rate limit: `30/min`, `1/s`, `500/h` or `1000/d`. Throws `usage`. */
export function parseRate(text: string): PartsRate {
  const rate = parseWholeRate(text, maxParts)
  if (rate !== undefined) {
    const { count, unit } = rate
    return { parts: count, period: rateUnits[unit], name: `${count}/${unit}` }
  }
  throw new RelayError('usage', `--rate must be parts per time, such as 30/min; not "${text}".`, {
    hint: `Use a whole number from 1 to ${maxParts} and /s, /min, /h or /d: 30/h, not 0.5/min.`,
  })
}

/** The phone's rate limit with the shortest period, which decides the space between texts. */
export function findSpacingRate(rates: readonly PartsRate[]): PartsRate | undefined {
  const [first] = [...rates].sort((a, b) => a.period - b.period || a.parts - b.parts)
  return first
}
