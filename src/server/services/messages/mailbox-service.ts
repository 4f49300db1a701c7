import type { Account } from '../../../domain/account/account.js'
import {
  isAlias,
  isSender,
  type Mailbox,
  parseLocalPart,
  type SubjectChoice,
} from '../../../domain/account/mailbox.js'
import { toCanonicalNumber } from '../../../domain/sms/phone-number.js'
import { RelayError } from '../../../errors.js'
import { PromiseQueue } from '../../../util/async/promise-queue.js'
import { createLowercaseSecret, hashText } from '../../../util/crypto/secrets.js'
import { createAccountRecord } from '../create-account-record.js'
import type { ServiceContext } from '../service-context.js'

/** An e-mail address to make; without an alias it gets a key. */
export interface MailboxDraft {
  readonly name: string
  readonly alias?: string | undefined
  readonly destinations: readonly string[]
  readonly senders: readonly string[]
  readonly subject: SubjectChoice
  /** Most texts in an hour. @default any number */
  readonly hourly?: number | undefined
  /** Most characters of a text. */
  readonly length: number
}

/** A new e-mail address with its key in the clear, which is known only now. */
export interface CreatedMailbox {
  readonly mailbox: Mailbox
  readonly key?: string
}

/** How mail reaches the service. */
export interface MailSettings {
  /** What stands behind the @. */
  readonly domain: string
  /** Whether the service takes mail. */
  readonly receiving: boolean
}

/** Whom a mail is for. */
export interface Addressee {
  readonly mailbox: Mailbox
  readonly account: Account
  /** Canonical numbers that the text goes to. */
  readonly destinations: readonly string[]
}

/** Where to send mail to; `<number>` stands for the number of the phone, `…` for what is not known of a key. */
export function formatMailAddress(
  { mailbox, key }: CreatedMailbox,
  { domain }: MailSettings,
): string {
  const name = mailbox.alias ?? key ?? `${mailbox.hint}…`
  return `${mailbox.destinations.length === 0 ? '<number>.' : ''}${name}@${domain}`
}

/** What users do with the e-mail addresses of their account, and who is behind an address. */
export class MailboxService {
  readonly settings: MailSettings
  readonly #context: ServiceContext
  /** One at a time, so that an alias is not given twice. */
  readonly #creating = new PromiseQueue()

  constructor(context: ServiceContext, setting: MailSettings) {
    this.#context = context
    this.settings = setting
  }

  /** Makes an address. Throws `invalid_parameter`, `invalid_request`, `invalid_token`. */
  async create(account: Account, draft: MailboxDraft): Promise<CreatedMailbox> {
    const key = draft.alias === undefined ? createLowercaseSecret() : undefined
    const mailbox = createMailbox(this.#context, account, draft, key)
    await this.#creating.run(async () => {
      if (mailbox.alias !== undefined) await this.#assertFree(mailbox.alias)
      const { store } = this.#context
      await createAccountRecord(store, store.mailboxes, mailbox)
    })
    return key === undefined ? { mailbox } : { mailbox, key }
  }

  /** The account's addresses in the order they were made. */
  async list(account: Account): Promise<Mailbox[]> {
    return await this.#context.store.mailboxes.list(account.id)
  }

  /** Removes an address: mail to it is refused from now on. Throws `not_found`. */
  async remove(account: Account, id: string): Promise<void> {
    await this.#context.store.mailboxes.change(id, current => {
      if (current?.account === account.id) return null
      throw new RelayError(
        'not_found',
        `There is no e-mail address ${id}; list the addresses to see their ids.`,
      )
    })
  }

  /**
   * Whom mail to a local part is for; undefined when nobody. Throws `invalid_parameter` where the number before a key
   * cannot be dialled.
   */
  async find(local: string): Promise<Addressee | undefined> {
    const all = await this.#context.store.mailboxes.list()
    for (const { name, number } of parseLocalPart(local)) {
      const hash = hashText(name)
      const mailbox = all.find(
        each =>
          (each.alias === undefined ? each.hash === hash : each.alias === name) &&
          (each.destinations.length === 0) === (number !== undefined),
      )
      const account = mailbox && (await this.#context.store.accounts.get(mailbox.account))
      if (mailbox === undefined || account === undefined) continue
      const given = number === undefined ? mailbox.destinations : [number]
      const destinations = given.map(each =>
        requireCanonicalNumber(each, account, 'The number in the address'),
      )
      return { mailbox, account, destinations }
    }
    return undefined
  }

  async #assertFree(alias: string): Promise<void> {
    const all = await this.#context.store.mailboxes.list()
    if (!all.some(each => each.alias === alias)) return
    throw new RelayError('invalid_parameter', `\`alias\` ${alias} is taken; choose another.`)
  }
}

function createMailbox(
  { newId, now }: ServiceContext,
  account: Account,
  draft: MailboxDraft,
  key: string | undefined,
): Mailbox {
  const { name, destinations, subject, hourly, length } = draft
  const alias = draft.alias?.toLowerCase()
  const senders = draft.senders.map(each => each.toLowerCase())
  assertAlias(alias, destinations, senders)
  for (const each of destinations) requireCanonicalNumber(each, account, '`destinations`: each')
  assertHourlyLimit(hourly, destinations)
  for (const each of senders) assertSender(each)
  return {
    ...{ id: newId(), account: account.id, name },
    ...(key === undefined ? {} : { hash: hashText(key), hint: key.slice(0, 4) }),
    ...(alias === undefined ? {} : { alias }),
    ...{ destinations, senders, subject },
    ...(hourly === undefined ? {} : { hourly }),
    ...{ length, createdAt: now() },
  }
}

/** An alias can be guessed: it has to say where its texts go and who may send. */
function assertAlias(
  alias: string | undefined,
  destinations: readonly string[],
  senders: readonly string[],
): void {
  if (alias === undefined) return
  if (!isAlias(alias)) {
    throw new RelayError(
      'invalid_parameter',
      '`alias` must have 1 to 24 letters, digits, - and _, a letter first, and be no name that is kept free, such as postmaster.',
    )
  }
  if (destinations.length > 0 && senders.length > 0) return
  throw new RelayError(
    'invalid_request',
    'An `alias` needs `destinations` and `senders`, for anyone can guess it; `*` as a sender opens it to all.',
  )
}

function assertHourlyLimit(hourly: number | undefined, destinations: readonly string[]): void {
  if (hourly === undefined || hourly >= destinations.length) return
  throw new RelayError(
    'invalid_parameter',
    '`hourly_limit` must be at least the number of `destinations`: each mail makes a text for each.',
  )
}

/** The canonical form of a number. Throws `invalid_parameter`. */
function requireCanonicalNumber(destination: string, { country }: Account, what: string): string {
  const number = toCanonicalNumber(destination, country)
  if (number !== undefined) return number
  throw new RelayError(
    'invalid_parameter',
    `${what} must be a number that can be dialled, in international form, such as +12025550123.`,
  )
}

function assertSender(text: string): void {
  if (isSender(text)) return
  throw new RelayError(
    'invalid_parameter',
    '`senders`: each must be an e-mail address, @ and a domain, or * for everyone.',
  )
}
