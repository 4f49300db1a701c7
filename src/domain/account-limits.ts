import { RelayError } from '../errors.js'
import { formatCount } from '../util/text/plural.js'

/**
 * The limits of an account, each with its field in the API, its names for people, and what an
 * account has that no limit was set for; without a `default` that is no limit.
 */
export const accountLimits = {
  messagesPerHour: {
    field: 'messages_per_hour',
    label: 'Messages an hour',
    about: 'Messages that are created in 60 minutes.',
    hint: 'Created in 60 minutes, from all sources.',
  },
  messagesPerDay: {
    field: 'messages_per_day',
    label: 'Messages a day',
    about: 'Messages that are created in 24 hours.',
    hint: 'Created in 24 hours, from all sources.',
  },
  waitingMessages: {
    field: 'waiting_messages',
    label: 'Waiting messages',
    about: 'Messages that wait to be sent, scheduled ones too.',
    hint: 'Messages that are not sent yet, including scheduled ones.',
  },
  subscriptions: {
    field: 'subscriptions',
    label: 'Subscriptions',
    about: 'Subscriptions.',
    hint: 'Empty: the limit of the relay for all accounts.',
  },
  secretUrls: {
    field: 'secret_urls',
    label: 'Secret URLs',
    about: 'Secret URLs, also expired ones.',
    hint: 'Including expired ones.',
    default: 1000,
  },
  mailboxes: { field: 'mailboxes', label: 'Mailboxes', about: 'Mailboxes.', default: 1000 },
  contacts: { field: 'contacts', label: 'Contacts', about: 'Contacts.', default: 100_000 },
  groups: { field: 'groups', label: 'Groups', about: 'Groups of contacts.', default: 1000 },
  templates: { field: 'templates', label: 'Templates', about: 'Templates.', default: 1000 },
  people: { field: 'people', label: 'People', about: 'People besides the account.', default: 200 },
  invitations: {
    field: 'invitations',
    label: 'Invitations',
    about: 'Invitations that were not accepted.',
    default: 200,
  },
  tokens: {
    field: 'tokens',
    label: 'Tokens',
    about: 'Tokens of each key and of each person; one more ends the oldest.',
    hint: 'Of each key and of each person; one more ends the oldest.',
    default: 1000,
  },
} as const satisfies Readonly<Record<string, AccountLimit>>

interface AccountLimit {
  readonly field: string
  readonly label: string
  /** What counts, as a sentence. */
  readonly about: string
  readonly hint?: string
  readonly default?: number
}

export type AccountLimitName = keyof typeof accountLimits
export type AccountLimitField = (typeof accountLimits)[AccountLimitName]['field']

/** The limits of kinds of records: the store refuses one more in the commit that creates it. */
export const recordLimitNames = [
  ...(['secretUrls', 'mailboxes', 'contacts', 'groups'] as const),
  ...(['templates', 'people', 'invitations'] as const),
] satisfies readonly AccountLimitName[]

export type RecordLimitName = (typeof recordLimitNames)[number]

/** The limits that the owner set for an account. */
export type AccountLimits = { readonly [K in AccountLimitName]?: number }

export const accountLimitNames = Object.keys(accountLimits) as AccountLimitName[]

/** A value for each limit, by its name. */
export function mapAccountLimits<T>(
  toValue: (name: AccountLimitName) => T,
): Record<AccountLimitName, T> {
  const values = accountLimitNames.map(name => [name, toValue(name)] as const)
  return Object.fromEntries(values) as Record<AccountLimitName, T>
}

/** A value for each limit, by its field in the API. */
export function mapLimitFields<T>(
  toValue: (name: AccountLimitName) => T,
): Record<AccountLimitField, T> {
  const values = accountLimitNames.map(name => [accountLimits[name].field, toValue(name)] as const)
  return Object.fromEntries(values) as Record<AccountLimitField, T>
}

/** Changes of an account's limits: null removes one, and an absent one stays. */
export type AccountLimitChanges = { readonly [K in AccountLimitName]?: number | null | undefined }

export const maxAccountLimit = 100_000_000

/** The most that an account may have; undefined: no limit. */
export function getAccountLimit<K extends AccountLimitName>(
  limits: AccountLimits | undefined,
  name: K,
): (typeof accountLimits)[K] extends { readonly default: number } ? number : number | undefined {
  const { default: common } = accountLimits[name] as AccountLimit
  return (limits?.[name] ?? common) as ReturnType<typeof getAccountLimit<K>>
}

export function changeAccountLimits(
  limits: AccountLimits = {},
  changes: AccountLimitChanges,
): AccountLimits | undefined {
  const changed = accountLimitNames.flatMap(name => {
    const value = changes[name] === undefined ? limits[name] : changes[name]
    return value === undefined || value === null ? [] : [[name, value] as const]
  })
  return changed.length === 0 ? undefined : Object.fromEntries(changed)
}

export function hasMessageLimits(limits: AccountLimits | undefined): limits is AccountLimits {
  if (limits === undefined) return false
  const { messagesPerHour, messagesPerDay, waitingMessages } = limits
  return (messagesPerHour ?? messagesPerDay ?? waitingMessages) !== undefined
}

/** What a limit counts, for the middle of a sentence. */
export function getLimitNoun(name: AccountLimitName): string {
  const { label } = accountLimits[name]
  return `${label[0]?.toLowerCase()}${label.slice(1)}`
}

/** The error of a store that has as many records of the account as its limit allows. */
export function tooManyRecordsError(name: RecordLimitName, max: number): RelayError {
  return new RelayError(
    'invalid_state',
    `The account may have ${formatCount(max)} ${getLimitNoun(name)}, and has as many.`,
    { hint: 'Delete some, or ask the owner of the relay for a higher limit.' },
  )
}
