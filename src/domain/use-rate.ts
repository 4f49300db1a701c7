const periods = { s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** How often something may be used: so many times in any stretch of that length. */
export interface UseRate {
  readonly uses: number
  readonly per: keyof typeof periods
}

/** When something was used of late and how often, the oldest first; milliseconds since the epoch. */
export type RecentUses = readonly (readonly [at: number, uses: number])[]

/** Pieces of its period in which a limit counts: those uses that fall into one count from the last of them on. */
const slots = 100

/** Reads `10/h`; the units are s, min (or m), h and d. Undefined for anything else. */
export function parseUseRate(text: string): UseRate | undefined {
  const [, digits, unit = ''] = /^([1-9]\d{0,4})\/(s|m|min|h|d)$/.exec(text) ?? []
  if (digits === undefined) return undefined
  return { uses: Number(digits), per: unit === 'm' ? 'min' : (unit as UseRate['per']) }
}

/** A limit as people write it. */
export function formatUseRate({ uses, per }: UseRate): string {
  return `${uses}/${per}`
}

/** When the next use is allowed; `now` where it is at once. Milliseconds since the epoch. */
export function nextUseAt(recent: RecentUses, rate: UseRate, now: number): number {
  const counted = current(recent, rate, now)
  let excess = 1 - rate.uses
  for (const [, uses] of counted) excess += uses
  for (const [at, uses] of counted) {
    if (excess <= 0) break
    excess -= uses
    if (excess <= 0) return at + periods[rate.per]
  }
  return now
}

/** The uses with one more, and without those that count no longer. */
export function withUse(recent: RecentUses, rate: UseRate, now: number): RecentUses {
  const counted = current(recent, rate, now)
  const slot = (at: number): number => Math.floor((at * slots) / periods[rate.per])
  const last = counted.at(-1)
  const same = last !== undefined && slot(last[0]) === slot(now)
  return same ? [...counted.slice(0, -1), [now, last[1] + 1]] : [...counted, [now, 1]]
}

/** What still counts; a clock that was set back must not make the wait longer than the period. */
function current(recent: RecentUses, { per }: UseRate, now: number): RecentUses {
  return recent
    .filter(([at]) => at > now - periods[per])
    .map(([at, uses]) => [Math.min(at, now), uses])
}
