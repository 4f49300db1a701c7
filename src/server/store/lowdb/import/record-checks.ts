import type { AccountRecord } from '../../../../domain/account/account-record.js'
import { eventNames, getEventObject } from '../../../../domain/webhook/event.js'
import type { Resource } from '../../../../resources/resource.js'
import { resourceNames, resources } from '../../../../resources/resources.js'
import { normalizeEmail } from '../../account-store.js'
import { listUniqueKeys } from '../../resource-store.js'
import {
  buildDoNotTextKey,
  buildImportedEventKey,
  type Collections,
  findEventKey,
  type Kind,
  type Records,
} from '../records/collections.js'
import { numberPattern } from './record-fields.js'

export type Problem = readonly [field: string, reason: string]

/** The key of a record that is not its `id`. */
const findKey: { readonly [K in Kind]?: (record: Records[K]) => string } = {
  contact: ({ account, number }) => `${account} ${number}`,
  block: ({ scope, number: blocked }) => buildDoNotTextKey(scope, blocked),
  event: ({ seq }) => String(seq),
}

/** The values that no two records of a kind may share, by field; e-mail addresses: of all kinds. */
const findUniqueValues: {
  readonly [K in Kind]?: (record: Records[K]) => Readonly<Record<string, string | undefined>>
} = {
  account: ({ email, secretKey }) => ({ email: normalizeEmail(email), secretKey }),
  person: ({ email }) => ({ email: normalizeEmail(email) }),
  capability: ({ hash }) => ({ hash }),
  phone: ({ account, name }) => ({ name: `${account} ${name}` }),
  ...Object.fromEntries(resourceNames.map(name => [name, createUniqueFinder(resources[name])])),
  received: ({ account, once }) => ({ 'once.key': once && `${account} ${once.key}` }),
  tally: ({ account, quarter }) => ({ quarter: `${account} ${quarter}` }),
  event: ({ account, seq }) => ({ seq: `${account} ${seq}` }),
}

function createUniqueFinder(resource: Resource) {
  return (record: AccountRecord) =>
    Object.fromEntries(
      listUniqueKeys(resource).map(({ field, isOfAccount, read }) => {
        const value = read(record)
        return [field, value !== undefined && isOfAccount ? `${record.account} ${value}` : value]
      }),
    )
}

/**
 * Finds problems of an imported record by itself: of its key, and values that an earlier record
 * has.
 */
export class RecordChecker {
  readonly #seen = new Map<string, Set<string>>()

  check<K extends Kind>(kind: K, key: string, record: Records[K]): Problem[] {
    const problems = checkKey(kind, key, record)
    for (const [field, value] of Object.entries(findUniqueValues[kind]?.(record) ?? {})) {
      if (value === undefined) continue
      // Accounts and people share the e-mail addresses.
      const name = field === 'email' ? field : `${kind} ${field}`
      const seen = this.#seen.get(name) ?? new Set()
      this.#seen.set(name, seen)
      if (seen.has(value)) problems.push([`record.${field}`, 'an earlier record has the same'])
      seen.add(value)
    }
    return problems
  }
}

function checkKey<K extends Kind>(kind: K, key: string, record: Records[K]): Problem[] {
  const { id = key } = record as { readonly id?: string }
  const expected = findKey[kind]?.(record) ?? id
  if (key === expected) return []
  const { account = '', seq } = record as Partial<Records['event']>
  if (kind === 'event' && key === buildImportedEventKey(account, seq ?? 0)) return []
  return [['key', `does not match the record, which has ${expected}`]]
}

type FindReferenceProblems<K extends Kind> = (
  data: Collections,
  record: Records[K],
  key: string,
) => (Problem | undefined)[]

const findReferenceProblems: { readonly [K in Kind]?: FindReferenceProblems<K> } = {
  token: (data, record) => [...checkAccountField(data, record), checkPersonOf(data, record)],
  subscription: (data, record) => [
    ...checkAccountField(data, record),
    checkTriedEvent(data, record),
  ],
  received: (data, record) => [
    ...checkAccountField(data, record),
    checkReceivedEvent(data, record),
  ],
  block: (data, { scope }) => [
    scope === '*' ? undefined : checkAccount(data, 'record.scope', scope),
  ],
  once: (data, record, key) => [
    checkAccount(data, 'record.message.account', record.message.account),
    checkKeyOfRequest(record, key),
    checkMessageOf(data, 'record.message.id', record.message.id, record.message.account),
  ],
  event: (data, record) => [...checkAccountField(data, record), checkEventObject(data, record)],
  // Entries stay when their account is removed.
  audit: () => [],
  meta: (data, _, key) => [checkMetaKey(data, key)],
}

export function findMissingReferences<K extends Kind>(
  data: Collections,
  kind: K,
  key: string,
  record: Records[K],
): Problem[] {
  const find = findReferenceProblems[kind] ?? checkAnyAccount
  const found = find(data, record, key)
  return found.filter(problem => problem !== undefined)
}

/** A record of an account refers to it, if to nothing else. */
function checkAnyAccount(data: Collections, record: object): (Problem | undefined)[] {
  return 'account' in record ? checkAccountField(data, { account: String(record.account) }) : []
}

function checkAccountField(
  data: Collections,
  { account }: { readonly account: string },
): (Problem | undefined)[] {
  return [checkAccount(data, 'record.account', account)]
}

function checkAccount(data: Collections, field: string, account: string): Problem | undefined {
  return data.account.has(account) ? undefined : [field, `there is no account ${account}`]
}

function checkPersonOf(
  data: Collections,
  { account, person }: Records['token'],
): Problem | undefined {
  if (person === undefined || data.person.get(person)?.account === account) return undefined
  return ['record.person', `the account has no person ${person}`]
}

function checkMessageOf(
  data: Collections,
  field: string,
  id: string,
  account: string,
): Problem | undefined {
  const message = data.message.get(id)
  if (message === undefined || message.account === account) return undefined
  return [field, `the message ${id} belongs to another account`]
}

/** The object of an event can have been removed; one that exists belongs to the event's account. */
function checkEventObject(data: Collections, event: Records['event']): Problem | undefined {
  const field = 'record.message'
  if (getEventObject(event.event) === 'number') {
    if (numberPattern.test(event.message)) return undefined
    return [field, 'must be a canonical number']
  }
  if (getEventObject(event.event) === 'subscription') {
    const { account } = data.subscription.get(event.message) ?? event
    if (account === event.account) return undefined
    return [field, `the subscription ${event.message} belongs to another account`]
  }
  if (getEventObject(event.event) === 'audit') {
    const { account } = data.audit.get(event.message) ?? event
    if (account === event.account) return undefined
    return [field, `the entry ${event.message} belongs to another account`]
  }
  if (event.event !== 'message.received') {
    if (!data.received.has(event.message)) {
      return checkMessageOf(data, field, event.message, event.account)
    }
    return [field, `${event.message} is a received text`]
  }
  if (data.message.has(event.message)) return [field, `${event.message} is a message`]
  const received = data.received.get(event.message)
  if (received === undefined || received.account === event.account) return undefined
  return [field, `the received text ${event.message} belongs to another account`]
}

function checkReceivedEvent(data: Collections, received: Records['received']): Problem | undefined {
  const event = findEvent(data, received.account, received.event)
  if (event === undefined || event.message === received.id) return undefined
  return ['record.event', `event ${event.seq} is that of ${event.message}`]
}

function checkTriedEvent(
  data: Collections,
  { account, event: name, trying }: Records['subscription'],
): Problem | undefined {
  const event = findEvent(data, account, trying?.seq)
  if (event === undefined || event.event === name) return undefined
  return ['record.trying.seq', `the subscription does not have event ${event.seq}`]
}

function findEvent(
  data: Collections,
  account: string,
  seq: number | undefined,
): Records['event'] | undefined {
  const key = seq === undefined ? undefined : findEventKey(data, account, seq)
  return key === undefined ? undefined : data.event.get(key)
}

function checkKeyOfRequest({ message }: Records['once'], key: string): Problem | undefined {
  if (key.startsWith(`${message.account} `)) return undefined
  return ['key', 'must begin with the account of the message']
}

function checkMetaKey(data: Collections, key: string): Problem | undefined {
  const [account = '', name] = key.split(' ')
  if (key === 'events') return undefined
  if (eventNames.some(each => each === name)) return checkAccount(data, 'key', account)
  return ['key', 'must be `events`, or an account and the name of an event']
}
