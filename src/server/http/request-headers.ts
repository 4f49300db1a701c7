import { phoneHeaders } from '../../contract/phone-schema.js'
import { limits } from '../../domain/limits.js'
import { type PhoneNetwork, pickNetworkFields } from '../../domain/phone/phone-network.js'
import { RelayError } from '../../errors.js'
import type { RequestMetadata } from '../../net/server/http-request.js'
import { hashText } from '../../util/crypto/secrets.js'
import type { PhoneIntroduction } from '../services/phones/phone-service.js'

/** Seconds that an HTTP request can ask to wait, at most. */
const maxWait = 60

/**
 * What the header of a NEXT prefers (RFC 7240): seconds that it waits, and a batch of messages
 * after `since`.
 */
export interface NextPreferences {
  readonly wait?: number
  readonly batch?: number
  readonly since?: number
}

/**
 * Returns the preferences in the header of a NEXT; malformed ones are ignored, too large ones
 * lowered.
 */
export function parseNextPreferences(request: RequestMetadata): NextPreferences {
  const { prefer } = request.headers
  if (prefer === undefined) return {}
  const wait = parsePreference(prefer, 'wait')
  const batch = parsePreference(prefer, 'batch')
  const since = parsePreference(prefer, 'since')
  return {
    ...(wait === undefined ? {} : { wait: Math.min(wait, maxWait) }),
    ...(batch === undefined || batch === 0 ? {} : { batch: Math.min(batch, limits.messageBatch) }),
    ...(since === undefined ? {} : { since }),
  }
}

/** Formats the HTTP field Preference-Applied; `since` only counts in a batch. */
export function formatPreferences({ wait, batch, since }: NextPreferences): string {
  const applied: string[] = []
  if (wait !== undefined) applied.push(`wait=${wait}`)
  if (batch !== undefined) applied.push(`batch=${batch}`)
  if (batch !== undefined && since !== undefined) applied.push(`since=${since}`)
  return applied.join(', ')
}

/** Whether the client prefers a reply without representations (RFC 7240, section 4.2). */
export function prefersMinimal({ headers: { prefer = '' } }: RequestMetadata): boolean {
  return /(?:^|,)\s*return\s*=\s*"?minimal"?\s*(?:[,;]|$)/i.test(prefer)
}

function parsePreference(prefer: string, name: string): number | undefined {
  const pattern = new RegExp(`(?:^|[,;])\\s*${name}\\s*=\\s*"?(\\d{1,15})"?\\s*(?:[,;]|$)`, 'i')
  const match = pattern.exec(prefer)
  return match?.[1] === undefined ? undefined : Number(match[1])
}

export function getIdempotencyKey(request: RequestMetadata): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && key !== '' && key.length <= limits.idempotencyKey) return key
  throw new RelayError(
    'invalid_parameter',
    `\`Idempotency-Key\` must have 1 to ${limits.idempotencyKey} characters.`,
  )
}

/** Checks the current state of a resource before it changes. Throws `precondition_failed`. */
export type Precondition<T> = (current: T) => void

/**
 * Makes the strong entity tag of a representation (RFC 9110 section 8.8.3): it changes with every
 * byte.
 */
export function createEntityTag(representation: string): string {
  return `"${hashText(representation).slice(0, 22)}"`
}

/**
 * Reads the field If-Match of a request (RFC 9110 section 13.1.1). Weak tags never match. A request
 * without it has no precondition. Throws `invalid_parameter` if it is malformed: to ignore it could
 * overwrite a change.
 * @param getTag gets the strong entity tag of the resource
 */
export function getPrecondition<T>(
  { headers }: RequestMetadata,
  getTag: (current: T) => string,
): Precondition<T> | undefined {
  const value = headers['if-match']
  if (value === undefined || value.trim() === '*') return undefined
  const tags = parseEntityTags(value)
  if (tags === undefined) {
    throw new RelayError(
      'invalid_parameter',
      '`If-Match` must be `*` or entity tags in quotes, separated by commas.',
    )
  }
  return current => {
    if (tags.includes(getTag(current))) return
    throw new RelayError('precondition_failed', 'The resource has another `ETag` now.', {
      hint: 'Get it again, and decide on its new version.',
    })
  }
}

/** Parses a list of entity tags; undefined if it is malformed or empty. */
function parseEntityTags(value: string): string[] | undefined {
  const element = /[ \t,]*(?:((?:W\/)?"[!#-~\x80-\xff]*")[ \t]*(?=,|$))?/y
  const tags: string[] = []
  for (;;) {
    const tag = element.exec(value)?.[1]
    if (tag !== undefined) tags.push(tag)
    else return element.lastIndex === value.length && tags.length > 0 ? tags : undefined
  }
}

export function getPhoneIntroduction({ headers }: RequestMetadata): PhoneIntroduction {
  const name = headers[phoneHeaders.name]
  const driver = headers[phoneHeaders.driver]
  return {
    name: typeof name === 'string' ? name : undefined,
    driver: typeof driver === 'string' ? driver : undefined,
  }
}

export function getPhoneNetwork({ headers }: RequestMetadata): PhoneNetwork | undefined {
  const read = (name: string): string | undefined => {
    const value = headers[name]
    return typeof value === 'string' ? value : undefined
  }
  return pickNetworkFields({
    signal: read(phoneHeaders.signal),
    operator: decodePercents(read(phoneHeaders.operator)),
    rate: read(phoneHeaders.rate),
  })
}

function decodePercents(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    return undefined
  }
}
