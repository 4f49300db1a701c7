const second = 1000
const months = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec'
/** The three forms of a date in HTTP (RFC 9110 section 5.6.7); the last says no zone, and means UTC. */
const httpDate = new RegExp(
  `^\\w{3}, \\d\\d (${months}) \\d{4} [\\d:]{8} GMT$|^\\w{6,9}, \\d\\d-(${months})-\\d\\d [\\d:]{8} GMT$`,
)
const asctime = new RegExp(`^\\w{3} (${months}) [ \\d]\\d [\\d:]{8} \\d{4}$`)

/**
 * Milliseconds until the time of a Retry-After, seconds or a date (RFC 9110 section 10.2.3); 0 when it has passed,
 * undefined when there is none or it is malformed.
 */
export function parseRetryAfter(field: string | undefined, now: number): number | undefined {
  const text = field?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text) * second
  const date = httpDate.test(text) ? text : asctime.test(text) ? `${text} GMT` : ''
  const at = Date.parse(date)
  return Number.isNaN(at) ? undefined : Math.max(at - now, 0)
}
