import { getTemplateFields, type TemplateField } from '../bulk/text-template.js'
import type { AccountRecord } from './account-record.js'
import {
  addUses,
  getNextUseTime,
  type RecentUses,
  removeUses,
  type UsageLimit,
} from './usage-limit.js'

/**
 * Domain type of a secret URL: everyone who knows it can send (docs/reference/interface.md 1).
 * Times in milliseconds since the epoch.
 */
export interface SecretUrl extends AccountRecord {
  /**
   * The secret URL's record: SHA-256 of the secret part, base64url; the identifier is derived from
   * it.
   */
  readonly hash: string
  readonly createdAt: number
  readonly name?: string
  /** Recipients of a secret URL as given; absent: each request names its recipient. */
  readonly destinations?: readonly string[]
  /**
   * Text of a secret URL with placeholders for request fields; absent: each request has its text.
   */
  readonly template?: string
  /** Most characters of a text of the secret URL; absent: as many as a message can have. */
  readonly length?: number
  readonly rate?: UsageLimit
  readonly expiresAt?: number
  /** Whether GET of the secret URL only shows a page with a form, and does not send. */
  readonly confirm?: boolean
  readonly uses?: SecretUrlUses
}

export interface SecretUrlUses {
  readonly count: number
  readonly lastAt: number
  /** The secret URL's uses that count towards its limit; empty without a limit. */
  readonly recent: RecentUses
  /** Counted requests of the last minute, which may arrive again before they have a result. */
  readonly requests?: readonly (readonly [at: number, request: string])[]
}

export interface SecretUrlUse {
  readonly at: number
  /** The same for a repeated request, at most; absent: the request cannot be repeated. */
  readonly request?: string | undefined
}

const requestMemory = 60_000
const maxRequests = 100
const noUses: SecretUrlUses = { count: 0, lastAt: 0, recent: [] }

export type SecretUrlTerms = Pick<
  SecretUrl,
  'name' | 'destinations' | 'template' | 'length' | 'rate' | 'expiresAt' | 'confirm'
>

/**
 * Creates the identifier of a secret URL: a UUID of version 8 (RFC 9562, section 5.8) from its hash
 * in hex.
 */
export function createSecretUrlId(hash: string): string {
  const variant = ((Number.parseInt(hash.charAt(16), 16) & 3) | 8).toString(16)
  const groups = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`]
  return [...groups, variant + hash.slice(17, 20), hash.slice(20, 32)].join('-')
}

export function isExpired({ expiresAt }: SecretUrlTerms, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now
}

/** Whether a use of a secret URL is counted already, because the same request came before. */
export function isCountedUse({ uses }: SecretUrl, { at, request }: SecretUrlUse): boolean {
  return listRequests(uses, at).some(([, counted]) => counted === request)
}

/** Milliseconds until the limit of a secret URL allows the use; 0: it is allowed. */
export function getUseWait({ rate, uses = noUses }: SecretUrl, { at }: SecretUrlUse): number {
  return rate === undefined ? 0 : getNextUseTime(uses.recent, rate, at) - at
}

export function countUse(secretUrl: SecretUrl, { at, request }: SecretUrlUse): SecretUrl {
  const { rate, uses = noUses } = secretUrl
  const requests = [
    ...listRequests(uses, at),
    ...(request === undefined ? [] : [[at, request] as const]),
  ].slice(-maxRequests)
  return {
    ...secretUrl,
    uses: {
      count: uses.count + 1,
      lastAt: at,
      recent: rate === undefined ? [] : addUses(uses.recent, rate, at),
      ...(requests.length === 0 ? {} : { requests }),
    },
  }
}

/** Takes back the count of a use of a secret URL whose messages were all rejected. */
export function uncountUse(secretUrl: SecretUrl, { at, request }: SecretUrlUse): SecretUrl {
  const { uses, ...others } = secretUrl
  if (uses === undefined) return secretUrl
  if (uses.count === 1) return others
  const requests = uses.requests?.filter(([, counted]) => counted !== request)
  const recent = removeUses(uses.recent, at)
  return {
    ...others,
    uses: { ...uses, count: uses.count - 1, recent, ...(requests && { requests }) },
  }
}

function listRequests(
  uses: SecretUrlUses | undefined,
  now: number,
): readonly (readonly [at: number, request: string])[] {
  return (uses?.requests ?? []).filter(([at]) => at > now - requestMemory)
}

/** The fields of a use of a secret URL, in the order in which the form shows them. */
export function getFormFields({
  destinations,
  template,
}: SecretUrlTerms): readonly TemplateField[] {
  const ofText =
    template === undefined ? [requireField('message')] : (getTemplateFields(template) ?? [])
  const others = ofText.filter(({ name }) => name !== 'destination')
  return destinations === undefined ? [requireField('destination'), ...others] : others
}

function requireField(name: string): TemplateField {
  return { name, isRequired: true }
}
