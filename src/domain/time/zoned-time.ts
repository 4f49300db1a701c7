import { memoize } from '../../util/collections/memoize.js'

/**
 * The cache of formats of local times is limited, because one time zone can be spelled in many
 * ways.
 */
const getFormat = memoize(500, timeZone => {
  const numeric = 'numeric' as const
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  })
})

/** The names of the time zones in which a local time can be read (IANA), UTC first. */
export function listTimeZones(): readonly string[] {
  timeZones ??= ['UTC', ...Intl.supportedValuesOf('timeZone').filter(zone => zone !== 'UTC')]
  return timeZones
}

/** Listing them takes a quarter of a millisecond. */
let timeZones: readonly string[] | undefined

export function isTimeZone(zone: string): boolean {
  try {
    getFormat(zone)
    return true
  } catch {
    return false
  }
}

/** The time zone of this machine; UTC if TZ names none that exists. */
export function getSystemZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return timeZone !== undefined && isTimeZone(timeZone) ? timeZone : 'UTC'
}

export type ParsedLocalTime =
  | { readonly at: number; readonly problem?: never }
  | { readonly at?: never; readonly problem: string }

/**
 * Parses a local `YYYY-MM-DDTHH:MM` or `YYYY-MM-DDTHH:MM:SS` of a time zone. A time that the clocks
 * skip, or show twice, is a problem: it is never guessed.
 */
export function parseLocalTime(text: string, zone: string): ParsedLocalTime {
  const found = findLocalTimes(text, zone)
  if (found === undefined)
    return { problem: 'The time does not exist. Enter date, hour and minute.' }
  const [at, second] = found.times
  if (at !== undefined && second === undefined) return { at }
  const name = text.replace('T', ' ')
  if (at === undefined || second === undefined) {
    return {
      problem: `${name} does not exist in ${zone}, because the clocks change. Enter another time.`,
    }
  }
  const times = [at, second].map(time => formatLocalTime(time, 'UTC').replace('T', ' '))
  return {
    problem:
      `${name} occurs twice in ${zone}, because the clocks change. Choose the time zone UTC and ` +
      `enter ${times.join(' or ')}.`,
  }
}

export interface LocalTimes {
  /** When clocks show a local time: never if they skip it, or twice if they go back. */
  readonly times: readonly number[]
  /** The local time by the offset before a change of the clocks. */
  readonly before: number
}

/**
 * Finds when a local time occurs, in the form of {@link parseLocalTime}; undefined if there is no
 * such day, hour or zone.
 */
export function findLocalTimes(text: string, zone: string): LocalTimes | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(text) || !isTimeZone(zone)) return undefined
  const wall = Date.parse(`${text}Z`)
  if (Number.isNaN(wall) || !new Date(wall).toISOString().startsWith(text)) return undefined
  const day = 86_400_000
  const before = wall - getUtcOffset(wall - day, zone)
  const after = wall - getUtcOffset(wall + day, zone)
  const fits = [before, after].filter(at => toLocalMs(at, zone) === wall)
  return { times: [...new Set(fits)].sort((a, b) => a - b), before }
}

/** Formats milliseconds since the epoch as local `YYYY-MM-DDTHH:MM` of a time zone. */
export function formatLocalTime(at: number, zone: string): string {
  return new Date(toLocalMs(at, zone)).toISOString().slice(0, 16)
}

/**
 * Milliseconds by which the clocks of a time zone are ahead of UTC at a time in milliseconds since
 * the epoch.
 */
export function getUtcOffset(at: number, zone: string): number {
  return toLocalMs(at, zone) - at
}

/** Converts a time to the local time of a zone as if that were UTC. */
function toLocalMs(at: number, zone: string): number {
  if (zone === 'UTC') return at
  // `formatToParts` takes three times as long, and a page can have thousands of times.
  const parts = getFormat(zone).format(at).match(/\d+/g) ?? []
  const [month = 0, date, year = 0, hour, minute, second = 0] = parts.map(Number)
  const wall = Date.UTC(year, month - 1, date, hour, minute)
  return wall + second * 1000 + (at - Math.floor(at / 1000) * 1000)
}
