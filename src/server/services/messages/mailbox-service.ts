import type { Account } from '../../../domain/account/account.js'
import { isAlias, isSender, parseLocalPart } from '../../../domain/account/mailbox.js'
import { RelayError } from '../../../errors.js'
import { type Mailbox, mailbox } from '../../../resources/mailbox.js'
import type { DraftOf } from '../../../resources/resource.js'
import { hashText } from '../../../util/crypto/secrets.js'
import { type Created, type Describe, ResourceService } from '../resource-service.js'
import type { ServiceContext } from '../service-context.js'
import { requireCanonicalNumber } from './canonical-number.js'

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
  { record, key }: Created<typeof mailbox>,
  { domain }: MailSettings,
): string {
  const name = record.alias ?? key ?? `${record.hint}…`
  return `${record.destinations.length === 0 ? '<number>.' : ''}${name}@${domain}`
}

export class MailboxService extends ResourceService<typeof mailbox> {
  readonly settings: MailSettings

  constructor(context: ServiceContext, settings: MailSettings) {
    super(context, mailbox)
    this.settings = settings
  }

  protected override createKey(draft: DraftOf<typeof mailbox>): string | undefined {
    return draft.alias === undefined ? super.createKey(draft) : undefined
  }

  override async describe(): Promise<Describe<typeof mailbox>> {
    const { receiving } = this.settings
    return each => ({
      ...{ address: formatMailAddress(each, this.settings), receiving },
      ...(each.key === undefined ? {} : { key: each.key }),
    })
  }

  protected override prepare<D extends Partial<DraftOf<typeof mailbox>>>(
    draft: D,
    account: Account,
  ): D {
    const { destinations = [], hourly_limit: hourly } = draft
    const alias = draft.alias?.toLowerCase()
    const senders = (draft.senders ?? []).map(each => each.toLowerCase())
    assertAlias(alias, destinations, senders)
    for (const each of destinations)
      requireCanonicalNumber(each, account.country, '`destinations`:')
    assertHourlyLimit(hourly, destinations)
    for (const each of senders) assertSender(each)
    return { ...draft, alias, senders }
  }

  /**
   * Finds the mailbox of a mail address's local part. Throws `invalid_parameter` if the number
   * before a key cannot be dialled.
   */
  async find(local: string): Promise<Addressee | undefined> {
    const { mailboxes, accounts } = this.context.store
    for (const { name, number } of parseLocalPart(local)) {
      const found =
        (await mailboxes.findBy('hash', hashText(name))) ?? (await mailboxes.findBy('alias', name))
      const hasNumber = number !== undefined
      if (found === undefined || (found.destinations.length === 0) !== hasNumber) continue
      const account = await accounts.get(found.account)
      if (account === undefined) continue
      const given = hasNumber ? [number] : found.destinations
      const destinations = given.map(each =>
        requireCanonicalNumber(each, account.country, 'The number'),
      )
      return { mailbox: found, account, destinations }
    }
    return undefined
  }

  /** Whether the local part of a mail address has the key of a mailbox. */
  async hasKey(local: string): Promise<boolean> {
    const { mailboxes } = this.context.store
    for (const { name } of parseLocalPart(local)) {
      if ((await mailboxes.findBy('hash', hashText(name))) !== undefined) return true
    }
    return false
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
