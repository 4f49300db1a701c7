import { RelayError } from '../../../errors.js'
import type { DriverErrorKind } from '../../driver-port/driver.js'

/** What an HTTP status means for a message. */
export type StatusMeaning = 'sent' | DriverErrorKind

/** Statuses that were given a meaning by options. */
export type StatusMeanings = ReadonlyMap<number, StatusMeaning>

/** Reads lists such as `409` or `400,500-599` of statuses by what they mean. Throws `usage`. */
export function parseStatusMeanings(
  lists: Readonly<Partial<Record<StatusMeaning, string>>>,
): StatusMeanings {
  const meanings = new Map<number, StatusMeaning>()
  for (const [verdict, list] of Object.entries(lists) as [StatusMeaning, string | undefined][]) {
    for (const range of (list ?? '').split(',').filter(each => each.trim() !== '')) {
      for (const status of parseStatusRange(verdict, range.trim())) meanings.set(status, verdict)
    }
  }
  return meanings
}

/**
 * What a status means: 2xx sent; 401, 403, 407 and 429 the account's or the service's trouble, as a redirect is; 408 and
 * 425 not sent yet; other 4xx the message's own fault; 5xx `unsure`, for the text may have gone (RFC 9110 section 15).
 */
export function interpretStatus(
  status: number,
  meanings: StatusMeanings,
  unsure: 'unknown' | 'retry',
): StatusMeaning {
  const given = meanings.get(status)
  if (given !== undefined) return given
  if (status >= 200 && status < 300) return 'sent'
  if (status >= 500) return unsure
  if (status < 400 || [401, 402, 403, 407, 429].includes(status)) return 'trouble'
  return status === 408 || status === 425 ? 'retry' : 'fail'
}

function parseStatusRange(verdict: string, range: string): number[] {
  const [, from, to = from] = /^([1-5]\d\d)(?:-([1-5]\d\d))?$/.exec(range) ?? []
  if (from === undefined) {
    throw new RelayError(
      'usage',
      `${verdict} is a list of statuses such as 409,500-599; not "${range}".`,
    )
  }
  return Array.from(
    { length: Math.max(Number(to) - Number(from) + 1, 0) },
    (_, n) => Number(from) + n,
  )
}
