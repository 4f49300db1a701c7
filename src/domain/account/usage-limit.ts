import { type CountRate, parseWholeRate, rateUnits } from '../time/rate.js'

/** How often something may be used: so many times in any stretch of that length. */
export interface UsageLimit {
  readonly uses: number
  readonly per: CountRate['unit']
}

/** When something was used of late and how often, the oldest first; milliseconds since the epoch. */
export type RecentUses = readonly (readonly [at: number, uses: number])[]

/** Pieces of its period in which a limit counts: those uses that fall into one count from the last of them on. */
const slots = 100

const maxUses = 99_999

/** Reads `10/h`, up to 99,999; the units are s, min (or m), h and d. Undefined for anything else. */
export function parseUsageLimit(text: string): UsageLimit | undefined {
  const rate = parseWholeRate(text, maxUses)
  return rate && { uses: rate.count, per: rate.unit }
}

/** A limit as people write it. */
export function formatUsageLimit({ uses, per }: UsageLimit): string {
  return `${uses}/${per}`
}

/** When the next use is allowed; `now` where it is at once. Milliseconds since the epoch. */
export function getNextUseTime(recent: RecentUses, rate: UsageLimit, now: number): number {
  const counted = dropOldUses(recent, rate, now)
  let excess = 1 - rate.uses
  for (const [, uses] of counted) excess += uses
  for (const [at, uses] of counted) {
    if (excess <= 0) break
    excess -= uses
    if (excess <= 0) return at + rateUnits[rate.per]
  }
  return now
}

/** The uses with one more, and without those that count no longer. */
export function addUse(recent: RecentUses, rate: UsageLimit, now: number): RecentUses {
  const counted = dropOldUses(recent, rate, now)
  const slot = (at: number): number => Math.floor((at * slots) / rateUnits[rate.per])
  const last = counted.at(-1)
  const same = last !== undefined && slot(last[0]) === slot(now)
  return same ? [...counted.slice(0, -1), [now, last[1] + 1]] : [...counted, [now, 1]]
}

/** What still counts; a clock that was set back must not make the wait longer than the period. */
function dropOldUses(recent: RecentUses, { per }: UsageLimit, now: number): RecentUses {
  return recent
    .filter(([at]) => at > now - rateUnits[per])
    .map(([at, uses]) => [Math.min(at, now), uses])
}
