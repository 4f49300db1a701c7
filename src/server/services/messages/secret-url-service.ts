import type { Account } from '../../../domain/account/account.js'
import {
  createSecretUrlId,
  isExpired,
  type SecretUrl,
  type SecretUrlTerms,
  type SecretUrlUses,
} from '../../../domain/account/secret-url.js'
import { addUse, getNextUseTime } from '../../../domain/account/usage-limit.js'
import type { Message } from '../../../domain/message/message.js'
import { RelayError } from '../../../errors.js'
import { LruMap } from '../../../util/collections/lru-map.js'
import { createSecret, hashText } from '../../../util/crypto/secrets.js'
import { createAccountRecord } from '../create-account-record.js'
import type { ServiceContext } from '../service-context.js'
import { requireCanonicalNumber } from './canonical-number.js'
import type { MessageService } from './message-service.js'

export interface SecretUrlDraft extends SecretUrlTerms {
  /**
   * Milliseconds from now until the service lets the secret URL expire, in place of `expiresAt`.
   */
  readonly expiresIn?: number
}

/** The service's result: a new secret URL with its secret, which is not stored. */
export interface CreatedSecretUrl {
  readonly secretUrl: SecretUrl
  /** Secret by which the service finds the secret URL: the last segment of its path. */
  readonly secret: string
}

export interface SecretUrlText {
  readonly destinations: readonly string[]
  readonly text: string
}

/**
 * Secret URLs: everyone who has one can send what its terms allow (docs/reference/interface.md 1).
 * A record is found by the hash of its secret, and the secret itself is neither stored nor
 * compared, so the time of a look-up reveals nothing.
 */
export class SecretUrlService {
  readonly #context: ServiceContext
  readonly #messages: MessageService
  readonly #usage: SecretUrlUsage

  constructor(context: ServiceContext, messages: MessageService) {
    this.#context = context
    this.#messages = messages
    this.#usage = new SecretUrlUsage(context)
  }

  /** The time by which the service lets secret URLs expire, in milliseconds since the epoch. */
  now(): number {
    return this.#context.clock.now()
  }

  /** Lists the account's secret URLs in order of creation, including expired ones. */
  async list({ id }: Account): Promise<SecretUrl[]> {
    const found = await this.#context.store.secretUrls.list(id)
    return found.sort((a, b) => a.createdAt - b.createdAt)
  }

  /** Creates a secret URL with 256 random bits. Throws `invalid_parameter`, `invalid_token`. */
  async create(account: Account, draft: SecretUrlDraft): Promise<CreatedSecretUrl> {
    const now = this.#context.clock.now()
    if (isExpired(draft, now)) {
      throw new RelayError('invalid_parameter', '`expires_on` must be in the future.')
    }
    const { destinations, expiresIn, ...terms } = draft
    const secret = createSecret('sru_')
    const hash = hashText(secret)
    const secretUrl: SecretUrl = {
      id: toSecretUrlId(hash),
      account: account.id,
      hash,
      createdAt: now,
      ...terms,
      ...(expiresIn === undefined ? {} : { expiresAt: now + expiresIn }),
      ...(destinations === undefined
        ? {}
        : { destinations: removeDuplicateNumbers(destinations, account) }),
    }
    const { store } = this.#context
    await createAccountRecord(store, store.secretUrls, secretUrl)
    return { secretUrl, secret }
  }

  /** Revokes a secret URL. Throws `not_found`. */
  async revoke(account: Account, id: string): Promise<SecretUrl> {
    const { secretUrls } = this.#context.store
    const found = await secretUrls.get(id)
    if (found?.account !== account.id) {
      throw new RelayError(
        'not_found',
        `There is no secret URL ${id}; list the secret URLs to see their ids.`,
      )
    }
    await secretUrls.change(id, () => null)
    return found
  }

  /** Finds a secret URL by its secret; undefined if it is unknown, revoked or expired. */
  async find(secret: string): Promise<SecretUrl | undefined> {
    const hash = hashText(secret)
    const found = await this.#context.store.secretUrls.get(toSecretUrlId(hash))
    if (found?.hash !== hash || isExpired(found, this.#context.clock.now())) return undefined
    return found
  }

  /**
   * Uses a secret URL: accepts a message for each destination. A repeated request with the same key
   * gets the first result. Throws `not_found` if the secret URL has ended since it was found,
   * `too_many_requests`, and what {@link MessageService.accept} throws.
   */
  async send(secretUrl: SecretUrl, draft: SecretUrlText, key?: string): Promise<Message[]> {
    const account = await this.#context.store.accounts.get(secretUrl.account)
    const stored = await this.#context.store.secretUrls.get(secretUrl.id)
    const now = this.#context.clock.now()
    if (account === undefined || stored === undefined || isExpired(stored, now)) {
      throw notASecretUrlError()
    }
    let isCounted = false
    const countOnce = (): void => {
      if (!isCounted) this.#usage.count(secretUrl)
      isCounted = true
    }
    const accepting = draft.destinations.map(async (destination, index) => {
      // The prefix keeps these keys apart from those of the API and of other secret URLs.
      const messageKey = key === undefined ? undefined : `url ${secretUrl.id} ${index} ${key}`
      const message = { destination, text: draft.text }
      return await this.#messages.accept(account, message, 'url', messageKey, countOnce)
    })
    const accepted = await Promise.all(accepting)
    if (isCounted) await this.#usage.save(secretUrl)
    return accepted
  }
}

const maxRemembered = 10_000
const noUses: SecretUrlUses = { count: 0, lastAt: 0, recent: [] }

/**
 * Counts the uses of secret URLs and enforces their limits. A use counts in memory when its message
 * is decided on, so that two concurrent uses cannot both be the last one that is allowed; it is
 * stored when the message is durable.
 */
class SecretUrlUsage {
  readonly #context: ServiceContext
  /** Uses of secret URLs, also those that are not stored yet. */
  readonly #uses = new LruMap<string, SecretUrlUses>(maxRemembered, () => 1)

  constructor(context: ServiceContext) {
    this.#context = context
  }

  /**
   * Counts a use of a secret URL. If the limit is reached, throws `too_many_requests` and does not
   * count it.
   */
  count(secretUrl: SecretUrl): void {
    const { id, rate } = secretUrl
    const now = this.#context.clock.now()
    const { count, recent } = this.#uses.get(id) ?? secretUrl.uses ?? noUses
    const next = rate === undefined ? now : getNextUseTime(recent, rate, now)
    if (next > now) throw tooManyUsesError(next - now)
    const counted = rate === undefined ? [] : addUse(recent, rate, now)
    this.#uses.set(id, { count: count + 1, lastAt: now, recent: counted })
  }

  /**
   * Stores the count of a secret URL's uses. If that fails, the next use stores it: the message is
   * accepted already.
   */
  async save({ id }: SecretUrl): Promise<void> {
    const uses = this.#uses.get(id)
    if (uses === undefined) return
    const addUses = (current: SecretUrl | undefined) =>
      current === undefined ? null : { ...current, uses }
    await this.#context.store.secretUrls.change(id, addUses).catch(() => {})
  }
}

/** The services' one error for a secret URL that is unknown, revoked or expired. */
export function notASecretUrlError(): RelayError {
  return new RelayError(
    'not_found',
    'There is nothing at this address; ask the person who gave it to you for a new one.',
  )
}

function tooManyUsesError(wait: number): RelayError {
  const seconds = Math.ceil(wait / 1000)
  return new RelayError(
    'too_many_requests',
    `This secret URL has reached its limit; try again in ${seconds} s.`,
    { retryAfter: seconds },
  )
}

function toSecretUrlId(hash: string): string {
  return createSecretUrlId(Buffer.from(hash, 'base64url').toString('hex'))
}

/** Removes repeated recipients of a new secret URL; keeps the first spelling of each number. */
function removeDuplicateNumbers(
  destinations: readonly string[],
  { country }: Account,
): readonly string[] {
  const numbers = new Map<string, string>()
  for (const destination of destinations) {
    const number = requireCanonicalNumber(destination, country, '`destination`')
    if (!numbers.has(number)) numbers.set(number, destination)
  }
  return [...numbers.values()]
}
