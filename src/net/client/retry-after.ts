const months = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec'
// For the reply's Retry-After: the three forms of a date in HTTP (RFC 9110 section 5.6.7); the last
// one has no zone and is UTC.
const httpDate = new RegExp(
  `^\\w{3}, \\d\\d (${months}) \\d{4} [\\d:]{8} GMT$` +
    `|^\\w{6,9}, \\d\\d-(${months})-\\d\\d [\\d:]{8} GMT$`,
)
const asctime = new RegExp(`^\\w{3} (${months}) [ \\d]\\d [\\d:]{8} \\d{4}$`)

/**
 * Returns the milliseconds until the time of an HTTP reply's field Retry-After, in seconds or a
 * date (RFC 9110 section 10.2.3): 0 for the past, undefined if the field is missing or malformed.
 *
 * @param now milliseconds since the epoch
 */
export function parseRetryAfter(field: string | undefined, now: number): number | undefined {
  const text = field?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const date = httpDate.test(text) ? text : asctime.test(text) ? `${text} GMT` : ''
  const at = Date.parse(date)
  return Number.isNaN(at) ? undefined : Math.max(at - now, 0)
}
