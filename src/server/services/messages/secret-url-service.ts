import type { Account } from '../../../domain/account/account.js'
import {
  createSecretUrlId,
  isExpired,
  type SecretUrl,
  type SecretUrlTerms,
} from '../../../domain/account/secret-url.js'
import type { Message } from '../../../domain/message/message.js'
import { toCanonicalNumber } from '../../../domain/sms/phone-number.js'
import { RelayError } from '../../../errors.js'
import { createSecret, hashText } from '../../../util/crypto/secrets.js'
import { createAccountRecord } from '../create-account-record.js'
import type { ServiceContext } from '../service-context.js'
import type { MessageService } from './message-service.js'
import { SecretUrlUsage } from './secret-url-usage.js'

/** A secret URL to make. */
export interface SecretUrlDraft extends SecretUrlTerms {
  /** Milliseconds from now, in place of `expiresAt`. */
  readonly expiresIn?: number
}

/** A new secret URL; the secret is told this once. */
export interface CreatedSecretUrl {
  readonly secretUrl: SecretUrl
  /** The last part of its path. */
  readonly secret: string
}

/** A text to send by a secret URL. */
export interface SecretUrlText {
  readonly destinations: readonly string[]
  readonly text: string
}

/**
 * Secret URLs (SPEC.md section 1): whoever knows one may send what it allows. Only a hash is kept, and a record is found
 * by it: nothing is compared with the secret itself, so the time a look-up takes tells nothing.
 */
export class SecretUrlService {
  readonly #context: ServiceContext
  readonly #messages: MessageService
  readonly #log: SecretUrlUsage

  constructor(context: ServiceContext, messages: MessageService) {
    this.#context = context
    this.#messages = messages
    this.#log = new SecretUrlUsage(context)
  }

  /** The time by which secret URLs expire, in milliseconds since the epoch. */
  now(): number {
    return this.#context.now()
  }

  /** The account's secret URLs in the order they were made, the expired ones among them. */
  async list({ id }: Account): Promise<SecretUrl[]> {
    const found = await this.#context.store.secretUrls.list(id)
    return found.sort((a, b) => a.createdAt - b.createdAt)
  }

  /** Makes a secret URL of 256 random bits. Throws `invalid_parameter`, `invalid_token`. */
  async create(account: Account, draft: SecretUrlDraft): Promise<CreatedSecretUrl> {
    const now = this.#context.now()
    if (isExpired(draft, now)) throw invalidParameterError('`expires_on` must be in the future.')
    const { destinations, expiresIn, ...rest } = draft
    const secret = createSecret('sru_')
    const hash = hashText(secret)
    const capability: SecretUrl = {
      ...{ id: toSecretUrlId(hash), account: account.id, hash, createdAt: now },
      ...rest,
      ...(expiresIn === undefined ? {} : { expiresAt: now + expiresIn }),
      ...(destinations === undefined
        ? {}
        : { destinations: removeDuplicateNumbers(destinations, account) }),
    }
    const { store } = this.#context
    await createAccountRecord(store, store.secretUrls, capability)
    return { secretUrl: capability, secret }
  }

  /** Ends a secret URL. Throws `not_found`. */
  async revoke(account: Account, id: string): Promise<SecretUrl> {
    const { secretUrls: capabilities } = this.#context.store
    const found = await capabilities.get(id)
    if (found?.account !== account.id) {
      throw new RelayError('not_found', `There is no secret URL ${id}; list them to see their ids.`)
    }
    await capabilities.change(id, () => null)
    return found
  }

  /** The secret URL of a secret; undefined when it is unknown, revoked or expired. */
  async find(secret: string): Promise<SecretUrl | undefined> {
    const hash = hashText(secret)
    const found = await this.#context.store.secretUrls.get(toSecretUrlId(hash))
    if (found?.hash !== hash || isExpired(found, this.#context.now())) return undefined
    return found
  }

  /**
   * Accepts a text for each destination, as REST would; with a key the same again gives the first result. Throws
   * `not_found` when the secret URL has ended since it was found, `too_many_requests`, and what
   * {@link MessageService.accept} throws.
   */
  async send(capability: SecretUrl, draft: SecretUrlText, key?: string): Promise<Message[]> {
    const account = await this.#context.store.accounts.get(capability.account)
    const kept = await this.#context.store.secretUrls.get(capability.id)
    if (account === undefined || kept === undefined || isExpired(kept, this.#context.now())) {
      throw notASecretUrlError()
    }
    let counted = false
    const admit = (): void => {
      if (!counted) this.#log.count(capability)
      counted = true
    }
    const accepting = draft.destinations.map(async (destination, at) => {
      // The keys of secret URLs are apart from those of the interface, and of each other.
      const once = key === undefined ? undefined : `url ${capability.id} ${at} ${key}`
      return await this.#messages.accept(
        account,
        { destination, text: draft.text },
        'url',
        once,
        admit,
      )
    })
    const accepted = await Promise.all(accepting)
    if (counted) await this.#log.save(capability)
    return accepted
  }
}

/** The one error for a secret URL that is unknown, revoked or expired. */
export function notASecretUrlError(): RelayError {
  return new RelayError(
    'not_found',
    'There is nothing at this address; ask whoever gave it to you for a new one.',
  )
}

function toSecretUrlId(hash: string): string {
  return createSecretUrlId(Buffer.from(hash, 'base64url').toString('hex'))
}

/** The destinations without those that are another way to write an earlier one. */
function removeDuplicateNumbers(
  destinations: readonly string[],
  { country }: Account,
): readonly string[] {
  const numbers = new Map<string, string>()
  for (const destination of destinations) {
    const number = toCanonicalNumber(destination, country)
    if (number === undefined) {
      throw invalidParameterError(
        `\`destination\` ${destination} is not a number that can be dialled; give it in international form, such as +12025550123.`,
      )
    }
    if (!numbers.has(number)) numbers.set(number, destination)
  }
  return [...numbers.values()]
}

function invalidParameterError(sentence: string): RelayError {
  return new RelayError('invalid_parameter', sentence)
}
