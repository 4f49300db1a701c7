let second = Number.NaN
let text = ''

/** The time now as a reply's `Date` (RFC 9110 section 5.6.7). */
export function httpDate(): string {
  const now = Date.now()
  if (Math.floor(now / 1000) !== second) {
    second = Math.floor(now / 1000)
    text = new Date(now).toUTCString()
  }
  return text
}
