import type { Account } from '../../../domain/account/account.js'
import {
  isAlias,
  isSender,
  type Mailbox,
  parseLocalPart,
  type SubjectChoice,
} from '../../../domain/account/mailbox.js'
import type { ListPageQuery } from '../../../domain/list-key.js'
import { RelayError } from '../../../errors.js'
import { createLowercaseSecret, hashText } from '../../../util/crypto/secrets.js'
import type { Store } from '../../store/store.js'
import { createAccountRecord } from '../create-account-record.js'
import type { ServiceContext } from '../service-context.js'
import { requireCanonicalNumber } from './canonical-number.js'

export interface MailboxDraft {
  readonly name: string
  readonly alias?: string | undefined
  readonly destinations: readonly string[]
  readonly senders: readonly string[]
  readonly subject: SubjectChoice
  readonly hourly?: number | undefined
  readonly length: number
}

/** A new mailbox with its key, which is not stored. */
export interface CreatedMailbox {
  readonly mailbox: Mailbox
  readonly key?: string
}

export interface MailSettings {
  readonly domain: string
  readonly receiving: boolean
}

export interface Addressee {
  readonly mailbox: Mailbox
  readonly account: Account
  readonly destinations: readonly string[]
}

/**
 * The service's form of a mailbox's address, with `<number>` for a number that the sender chooses,
 * and `…` for the rest of a key that is not stored.
 */
export function formatMailAddress(
  { mailbox, key }: CreatedMailbox,
  { domain }: MailSettings,
): string {
  const name = mailbox.alias ?? key ?? `${mailbox.hint}…`
  return `${mailbox.destinations.length === 0 ? '<number>.' : ''}${name}@${domain}`
}

export class MailboxService {
  readonly settings: MailSettings
  readonly #context: ServiceContext

  constructor(context: ServiceContext, settings: MailSettings) {
    this.#context = context
    this.settings = settings
  }

  withStore(store: Store): MailboxService {
    return new MailboxService({ ...this.#context, store }, this.settings)
  }

  async create(account: Account, draft: MailboxDraft): Promise<CreatedMailbox> {
    const key = draft.alias === undefined ? createLowercaseSecret() : undefined
    const mailbox = createMailbox(this.#context, account, draft, key)
    const { store } = this.#context
    await createAccountRecord(store, store.mailboxes, mailbox)
    return key === undefined ? { mailbox } : { mailbox, key }
  }

  async getPage(account: Account, query: ListPageQuery): Promise<Mailbox[]> {
    return await this.#context.store.mailboxes.getPage(account.id, query)
  }

  async remove(account: Account, id: string): Promise<void> {
    await this.#context.store.mailboxes.change(id, current => {
      if (current?.account === account.id) return null
      throw new RelayError(
        'not_found',
        `There is no mailbox ${id}; list the mailboxes to see their ids.`,
      )
    })
  }

  /**
   * Finds the mailbox of a mail address's local part. Throws `invalid_parameter` if the number
   * before a key cannot be dialled.
   */
  async find(local: string): Promise<Addressee | undefined> {
    const { mailboxes, accounts } = this.#context.store
    for (const { name, number } of parseLocalPart(local)) {
      const mailbox =
        (await mailboxes.findByHash(hashText(name))) ?? (await mailboxes.findByAlias(name))
      const hasNumber = number !== undefined
      if (mailbox === undefined || (mailbox.destinations.length === 0) !== hasNumber) continue
      const account = await accounts.get(mailbox.account)
      if (account === undefined) continue
      const given = hasNumber ? [number] : mailbox.destinations
      const destinations = given.map(each =>
        requireCanonicalNumber(each, account.country, 'The number'),
      )
      return { mailbox, account, destinations }
    }
    return undefined
  }

  /** Whether the local part of a mail address has the key of a mailbox. */
  async hasKey(local: string): Promise<boolean> {
    const { mailboxes } = this.#context.store
    for (const { name } of parseLocalPart(local)) {
      if ((await mailboxes.findByHash(hashText(name))) !== undefined) return true
    }
    return false
  }
}

function createMailbox(
  { newId, clock }: ServiceContext,
  account: Account,
  draft: MailboxDraft,
  key: string | undefined,
): Mailbox {
  const { name, destinations, subject, hourly, length } = draft
  const alias = draft.alias?.toLowerCase()
  const senders = draft.senders.map(each => each.toLowerCase())
  assertAlias(alias, destinations, senders)
  for (const each of destinations) requireCanonicalNumber(each, account.country, '`destinations`:')
  assertHourlyLimit(hourly, destinations)
  for (const each of senders) assertSender(each)
  return {
    id: newId(),
    account: account.id,
    name,
    ...(key === undefined ? {} : { hash: hashText(key), hint: key.slice(0, 4) }),
    ...(alias === undefined ? {} : { alias }),
    destinations,
    senders,
    subject,
    ...(hourly === undefined ? {} : { hourly }),
    length,
    createdAt: clock.now(),
  }
}

function assertAlias(
  alias: string | undefined,
  destinations: readonly string[],
  senders: readonly string[],
): void {
  if (alias === undefined) return
  if (!isAlias(alias)) {
    throw new RelayError(
      'invalid_parameter',
      `\`alias\` ${alias} must have 1 to 24 letters, digits, - and _, begin with a letter, ` +
        'and not be a reserved name such as postmaster.',
    )
  }
  if (destinations.length > 0 && senders.length > 0) return
  throw new RelayError(
    'invalid_request',
    'An `alias` needs `destinations` and `senders`, because anyone can guess it; ' +
      'use `*` as a sender to accept mail from everyone.',
  )
}

function assertHourlyLimit(hourly: number | undefined, destinations: readonly string[]): void {
  if (hourly === undefined || hourly >= destinations.length) return
  throw new RelayError(
    'invalid_parameter',
    `\`hourly_limit\` ${hourly} must be at least ${destinations.length}, the number of ` +
      '`destinations`: each mail becomes a message to each of them.',
  )
}

function assertSender(text: string): void {
  if (isSender(text)) return
  throw new RelayError(
    'invalid_parameter',
    `\`senders\`: ${text} must be an e-mail address, @ and a domain, or * for everyone.`,
  )
}
