import type { RequestMetadata } from '../../../net/server/http-request.js'

/** How the dashboard compresses, the smaller first (RFC 9110 section 8.4.1, RFC 7932). */
const codings = ['br', 'gzip'] as const

export type ContentCoding = (typeof codings)[number]

/** Chooses a coding that the browser accepts and the content has; undefined if it accepts none. */
export function chooseCoding(
  { headers }: Pick<RequestMetadata, 'headers'>,
  known: readonly ContentCoding[] = codings,
): ContentCoding | undefined {
  const accepted = String(headers['accept-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .filter(each => !/;\s*q=0(?:\.0*)?\s*$/.test(each))
    .map(each => each.split(';')[0]?.trim())
  return known.find(each => accepted.includes(each))
}
