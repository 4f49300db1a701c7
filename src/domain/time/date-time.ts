// Times and rates as people write them. Inside the program a time is a number of milliseconds since
// the epoch.
// - date-time: UTC `YYYY-MM-DD HH:MM:SS`, the form of the interface
// - zoned-time: local times of a time zone, for the dashboard
// - rate: `30/min` and the like

const interfaceFormat = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2})$/
const acceptedFormat =
  /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(?:\.\d{1,9})?(Z|[+-]\d\d:?\d\d)?$/i
const dayLength = 86_400

/**
 * Parses a UTC `YYYY-MM-DD HH:MM:SS` to milliseconds since the epoch; undefined if there is no such
 * time (docs/reference/interface.md 2.2).
 */
export function parseDateTime(text: string): number | undefined {
  if (!interfaceFormat.test(text)) return undefined
  const ms = Date.parse(`${text.replace(' ', 'T')}Z`)
  return Number.isNaN(ms) || formatDateTime(ms) !== text ? undefined : ms
}

/**
 * Converts a time to UTC `YYYY-MM-DD HH:MM:SS`: from that form, with or without seconds, or from
 * ISO 8601 with a zone; undefined if there is no such time.
 */
export function normalizeDateTime(text: string): string | undefined {
  const [, day, minute, second = ':00', zone] = acceptedFormat.exec(text) ?? []
  const wall = `${day} ${minute}${second}`
  const isUtc = text.charAt(10) === ' '
  if (parseDateTime(wall) === undefined || (zone === undefined && !isUtc)) return undefined
  const ms = Date.parse(`${wall.replace(' ', 'T')}${zone?.toUpperCase() ?? 'Z'}`)
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
}

/**
 * Formats milliseconds since the epoch, years 0 to 9999, as UTC `YYYY-MM-DD HH:MM:SS`
 * (docs/reference/interface.md 2.2). By arithmetic, because `Date` takes five times as long and
 * each message has three times.
 */
export function formatDateTime(ms: number): string {
  const second = Math.floor(ms / 1000)
  if (second !== lastSecond) {
    lastText = formatSecond(second)
    lastSecond = second
  }
  return lastText
}

/** The time that was formatted last: the three times of most messages are in the same second. */
let lastSecond = Number.NaN
let lastText = ''

function formatSecond(second: number): string {
  const day = Math.floor(second / dayLength)
  const seconds = second - day * dayLength
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  return `${formatDay(day)} ${padTwo(hours)}:${padTwo(minutes % 60)}:${padTwo(seconds % 60)}`
}

/** Formats a day since the epoch. Counts years from March, in eras of 400 years. */
function formatDay(day: number): string {
  const fromMarch0 = day + 719_468
  const era = Math.floor(fromMarch0 / 146_097)
  const dayOfEra = fromMarch0 - era * 146_097
  const leapDays =
    Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 146_096)
  const yearOfEra = Math.floor((dayOfEra + leapDays) / 365)
  const before = 365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100)
  const dayOfYear = dayOfEra - before
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const dayOfMonth = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return `${String(year).padStart(4, '0')}-${padTwo(month)}-${padTwo(dayOfMonth)}`
}

function padTwo(value: number): string {
  return value < 10 ? `0${value}` : String(value)
}
