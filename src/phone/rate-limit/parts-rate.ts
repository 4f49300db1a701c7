import { parseWholeRate, rateUnits } from '../../domain/time/rate.js'
import { RelayError } from '../../errors.js'

/** A limit: so many parts in any stretch of so many milliseconds. */
export interface PartsRate {
  readonly parts: number
  readonly period: number
  /** As people write it, such as `30/min`. */
  readonly name: string
}

const maxParts = 1_000_000

/** Reads `30/min`, `1/s`, `500/h` or `1000/d`. Throws `usage`. */
export function parseRate(text: string): PartsRate {
  const rate = parseWholeRate(text, maxParts)
  if (rate !== undefined) {
    const { count, unit } = rate
    return { parts: count, period: rateUnits[unit], name: `${count}/${unit}` }
  }
  throw new RelayError('usage', `--rate must be parts per time, such as 30/min; not "${text}".`, {
    hint: `A whole number from 1 to ${maxParts}, and /s, /min, /h or /d. Write 30/h, not 0.5/min.`,
  })
}

/** The limit of the shortest period, by which texts are spaced. */
export function findSpacingRate(rates: readonly PartsRate[]): PartsRate | undefined {
  const [first] = [...rates].sort((a, b) => a.period - b.period || a.parts - b.parts)
  return first
}
