import type { Account } from '../../../domain/account/account.js'
import {
  countUse,
  createSecretUrlId,
  getUseWait,
  isCountedUse,
  isExpired,
  type SecretUrl,
  type SecretUrlTerms,
  type SecretUrlUse,
  uncountUse,
} from '../../../domain/account/secret-url.js'
import type { ListPageQuery } from '../../../domain/list-key.js'
import type { Message } from '../../../domain/message/message.js'
import { RelayError } from '../../../errors.js'
import { createSecret, hashText } from '../../../util/crypto/secrets.js'
import { formatWait } from '../../../util/text/wait.js'
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

export interface CreatedSecretUrl {
  readonly secretUrl: SecretUrl
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

  constructor(context: ServiceContext, messages: MessageService) {
    this.#context = context
    this.#messages = messages
  }

  now(): number {
    return this.#context.clock.now()
  }

  async getPage({ id }: Account, query: ListPageQuery): Promise<SecretUrl[]> {
    return await this.#context.store.secretUrls.getPage(id, query)
  }

  /**
   * Creates a secret URL with 256 random bits. Throws `invalid_parameter`, `invalid_token`,
   * and `invalid_state` if a limit of the account does not allow it.
   */
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

  async find(secret: string): Promise<SecretUrl | undefined> {
    const hash = hashText(secret)
    const found = await this.#context.store.secretUrls.get(toSecretUrlId(hash))
    if (found?.hash !== hash || isExpired(found, this.#context.clock.now())) return undefined
    return found
  }

  /**
   * Uses a secret URL: accepts a message for each destination, in one commit. A repeated request
   * with the same key gets the first result. Throws `not_found` if the secret URL has ended since
   * it was found, `too_many_requests`, and what {@link MessageService.accept} throws.
   *
   * The use counts before its messages are accepted, so that of two at the same time, on any nodes,
   * only one is the last that the limit allows.
   */
  async send(
    { id, account: owner }: SecretUrl,
    text: SecretUrlText,
    key?: string,
  ): Promise<Message[]> {
    const account = await this.#context.store.accounts.get(owner)
    if (account === undefined) throw notASecretUrlError()
    const drafts = text.destinations.map((destination, index) => ({
      destination,
      text: text.text,
      // The prefix keeps these keys apart from those of the API and of other secret URLs.
      key: key === undefined ? undefined : `url ${id} ${index} ${key}`,
    }))
    const first = await Promise.all(drafts.map(each => this.#messages.findResult(account, each)))
    const request = key === undefined ? undefined : hashText(JSON.stringify([key, text]))
    const use = { at: this.now(), request }
    // If one message has a result, an earlier request with the key was counted.
    const isCounted = first.some(message => message !== undefined)
    await this.#count(id, use, isCounted)
    const results = await this.#messages.acceptAll(account, drafts, 'url')
    const errors = results.flatMap(({ error }) => error ?? [])
    if (errors.length === results.length && !isCounted) await this.#uncount(id, use)
    if (errors[0] !== undefined) throw errors[0]
    return results.flatMap(({ message }) => message ?? [])
  }

  async #count(id: string, use: SecretUrlUse, isCounted: boolean): Promise<void> {
    await this.#context.store.secretUrls.change(id, current => {
      if (current === undefined || isExpired(current, use.at)) throw notASecretUrlError()
      if (isCounted || isCountedUse(current, use)) return current
      const wait = getUseWait(current, use)
      if (wait > 0) throw tooManyUsesError(wait)
      return countUse(current, use)
    })
  }

  async #uncount(id: string, use: SecretUrlUse): Promise<void> {
    await this.#context.store.secretUrls.change(id, current =>
      current === undefined ? null : uncountUse(current, use),
    )
  }
}

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
    `This secret URL has reached its limit; try again in ${formatWait(seconds)}.`,
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
