import { getTemplateFields } from '../bulk/text-template.js'
import type { AccountRecord } from './account-record.js'
import type { RecentUses, UsageLimit } from './usage-limit.js'

/** A secret URL, as kept: whoever knows it may send (SPEC.md section 1). Times in milliseconds since the epoch. */
export interface SecretUrl extends AccountRecord {
  /** SHA-256 of the secret part of the URL, base64url; the identifier is made of it. */
  readonly hash: string
  readonly createdAt: number
  /** What its owner calls it. */
  readonly name?: string
  /** The recipients of every use, as given; absent: the request says whom. */
  readonly destinations?: readonly string[]
  /** The text of every use, with places for fields of the request; absent: the request says what. */
  readonly template?: string
  readonly rate?: UsageLimit
  /** Of no use from then on. */
  readonly expiresAt?: number
  /** Whether GET only shows a page that asks. */
  readonly confirm?: boolean
  readonly uses?: SecretUrlUses
}

/** How a secret URL was used. */
export interface SecretUrlUses {
  readonly count: number
  readonly lastAt: number
  /** Those that count for the limit; empty without one. */
  readonly recent: RecentUses
}

/** What its owner decides about a secret URL. */
export type SecretUrlTerms = Pick<
  SecretUrl,
  'name' | 'destinations' | 'template' | 'rate' | 'expiresAt' | 'confirm'
>

/** The identifier of a secret URL: a UUID of version 8 (RFC 9562 section 5.8) made of its hash, here in hexadecimal. */
export function createSecretUrlId(hash: string): string {
  const variant = ((Number.parseInt(hash.charAt(16), 16) & 3) | 8).toString(16)
  const groups = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`]
  return [...groups, variant + hash.slice(17, 20), hash.slice(20, 32)].join('-')
}

/** Whether a secret URL has ended by itself. */
export function isExpired({ expiresAt }: SecretUrlTerms, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now
}

/** The fields a request has to give for a text, in the order in which people are asked for them. */
export function getRequiredFields({ destinations, template }: SecretUrlTerms): readonly string[] {
  const ofText = template === undefined ? ['message'] : (getTemplateFields(template) ?? [])
  const others = ofText.filter(name => name !== 'destination')
  return destinations === undefined ? ['destination', ...others] : others
}
