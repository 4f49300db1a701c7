import { type CountRate, parseWholeRate, rateUnits } from '../time/rate.js'

export interface UsageLimit {
  readonly uses: number
  readonly per: CountRate['unit']
}

/** Recent uses of a limit, oldest first; times in milliseconds since the epoch. */
export type RecentUses = readonly (readonly [at: number, uses: number])[]

/** A limit's period has so many slots: the uses of one slot count from its last use on. */
const slots = 100

const maxUses = 99_999

/**
 * Parses a secret URL's limit, such as `10/h`, up to 99,999; the units are s, min (or m), h and d.
 */
export function parseUsageLimit(text: string): UsageLimit | undefined {
  const rate = parseWholeRate(text, maxUses)
  return rate && { uses: rate.count, per: rate.unit }
}

export function formatUsageLimit({ uses, per }: UsageLimit): string {
  return `${uses}/${per}`
}

/**
 * When a limit allows `count` more uses, `now` at the earliest; in milliseconds since the epoch.
 * `count` must not exceed the limit.
 */
export function getNextUseTime(
  recent: RecentUses,
  rate: UsageLimit,
  now: number,
  count = 1,
): number {
  const counted = dropOldUses(recent, rate, now)
  let excess = count - rate.uses
  for (const [, uses] of counted) excess += uses
  for (const [at, uses] of counted) {
    if (excess <= 0) break
    excess -= uses
    if (excess <= 0) return at + rateUnits[rate.per]
  }
  return now
}

export function countUses(recent: RecentUses, rate: Pick<UsageLimit, 'per'>, now: number): number {
  return dropOldUses(recent, rate, now).reduce((sum, [, uses]) => sum + uses, 0)
}

export function addUses(
  recent: RecentUses,
  rate: Pick<UsageLimit, 'per'>,
  now: number,
  count = 1,
): RecentUses {
  const counted = dropOldUses(recent, rate, now)
  const slot = (at: number): number => Math.floor((at * slots) / rateUnits[rate.per])
  const last = counted.at(-1)
  const same = last !== undefined && slot(last[0]) === slot(now)
  return same ? [...counted.slice(0, -1), [now, last[1] + count]] : [...counted, [now, count]]
}

/** Removes uses that were added at `at`, which later uses of their slot may have moved. */
export function removeUses(recent: RecentUses, at: number, count = 1): RecentUses {
  const index = recent.findIndex(([last, uses]) => last >= at && uses >= count)
  return recent.flatMap(([last, uses], n) => {
    const left = n === index ? uses - count : uses
    return left === 0 ? [] : [[last, left] as const]
  })
}

/** A clock that was set back must not make the wait for the next use longer than the period. */
function dropOldUses(
  recent: RecentUses,
  { per }: Pick<UsageLimit, 'per'>,
  now: number,
): RecentUses {
  return recent
    .filter(([at]) => at > now - rateUnits[per])
    .map(([at, uses]) => [Math.min(at, now), uses])
}
