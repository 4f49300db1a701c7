import { RelayError } from '../../../../errors.js'
import type { DriverErrorKind } from '../../../driver-port/driver.js'

export const statusMeaningNames = ['sent', 'retry', 'fail', 'trouble', 'unknown'] as const

export type StatusMeaning = 'sent' | DriverErrorKind

export type StatusMeanings = ReadonlyMap<number, StatusMeaning>

/**
 * Parses lists of HTTP statuses, such as `409` or `400,500-599`, by their meaning for the http
 * driver. Throws `usage`.
 */
export function parseStatusMeanings(
  lists: Readonly<Partial<Record<StatusMeaning, string>>>,
): StatusMeanings {
  const meanings = new Map<number, StatusMeaning>()
  for (const [meaning, list] of Object.entries(lists) as [StatusMeaning, string | undefined][]) {
    for (const range of (list ?? '').split(',').filter(each => each.trim() !== '')) {
      for (const status of parseStatusRange(meaning, range.trim())) meanings.set(status, meaning)
    }
  }
  return meanings
}

/** Parses lists of a provider's codes, such as `21211,21614`, by their meaning. */
export function parseCodeMeanings(
  lists: Readonly<Partial<Record<StatusMeaning, string>>>,
): ReadonlyMap<string, StatusMeaning> {
  return new Map(
    statusMeaningNames.flatMap(meaning =>
      (lists[meaning] ?? '')
        .split(',')
        .filter(code => code.trim() !== '')
        .map(code => [code.trim(), meaning] as const),
    ),
  )
}

/**
 * The meaning of an HTTP status for a text (RFC 9110 section 15). By default 2xx is sent;
 * redirects, 401, 402, 403, 407 and 429 are trouble; 408 and 425 are retried; other 4xx fail; 5xx
 * is `unsure`, because the text may have been sent.
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

function parseStatusRange(meaning: string, range: string): number[] {
  const [, from, to = from] = /^([1-5]\d\d)(?:-([1-5]\d\d))?$/.exec(range) ?? []
  if (from === undefined) {
    throw new RelayError(
      'usage',
      `${meaning} must be a list of statuses such as 409,500-599; not "${range}".`,
    )
  }
  const count = Math.max(Number(to) - Number(from) + 1, 0)
  return Array.from({ length: count }, (_, index) => Number(from) + index)
}
