import { setImmediate } from 'node:timers/promises'
import type { Account } from '../../../domain/account/account.js'
import { getAccountLimit } from '../../../domain/account-limits.js'
import { type Contact, normalizeName } from '../../../domain/contact/contact.js'
import { limits } from '../../../domain/limits.js'
import { isRelayError, RelayError } from '../../../errors.js'
import { formatCount } from '../../../util/text/plural.js'
import { assertAccountExists } from '../create-account-record.js'
import { requireCanonicalNumber } from '../messages/canonical-number.js'
import type { ServiceContext } from '../service-context.js'
import type { GroupService } from './group-service.js'

/** What the service stores of a contact besides its number; absent: not changed. */
export interface ContactChanges {
  readonly name?: string | undefined
  readonly fields?: Readonly<Record<string, string>> | undefined
  /** Names of the contact's groups; the service creates those that are missing. */
  readonly groups?: readonly string[] | undefined
}

export interface ContactDraft extends ContactChanges {
  readonly number: string
}

export interface InvalidContact {
  readonly index: number
  readonly problem: string
}

export interface ContactImportResult {
  readonly added: number
  readonly changed: number
  readonly unchanged: number
  readonly invalid: readonly InvalidContact[]
}

export interface ContactImportOptions {
  readonly dryRun: boolean
  readonly skipInvalid: boolean
}

const maxNumbersPerTurn = 100

export async function importContacts(
  context: ServiceContext,
  groups: GroupService,
  account: Account,
  drafts: readonly (ContactDraft | InvalidContact)[],
  { dryRun, skipInvalid }: ContactImportOptions,
): Promise<ContactImportResult> {
  const { byNumber, invalid } = await validateDrafts(drafts, account.country)
  const isStored = !dryRun && (skipInvalid || invalid.length === 0)
  const { contacts, accounts } = context.store
  // In order, which the store's index adds fastest.
  const numbers = [...byNumber.keys()].sort()
  await assertSpace(context, account, numbers.length, async () => {
    const known = await contacts.find(account.id, numbers)
    return numbers.length - known.length
  })
  const ids = await findGroups(groups, account, byNumber.values(), isStored)
  const createdAt = context.clock.now()
  const counts = { added: 0, changed: 0, unchanged: 0 }
  for (let start = 0; start < numbers.length; start += limits.contactBatch) {
    const batch = numbers.slice(start, start + limits.contactBatch)
    const outcomes = new Map<string, keyof typeof counts>()
    await contacts.changeAll(account.id, batch, (number, current) => {
      const created = { account: account.id, number, name: '', createdAt }
      const merged = mergeDraft(current ?? created, byNumber.get(number) ?? { number }, ids)
      const isSame = merged === current
      outcomes.set(number, current === undefined ? 'added' : isSame ? 'unchanged' : 'changed')
      return isStored ? merged : undefined
    })
    for (const outcome of outcomes.values()) counts[outcome] += 1
    await setImmediate()
  }
  if (isStored) {
    await assertAccountExists(accounts, account.id, async () => {
      await contacts.changeAll(account.id, numbers, () => null)
    })
  }
  return { ...counts, invalid }
}

/**
 * Throws `invalid_state` if the account would have too many contacts. `countNew` is asked only
 * if all of `added` are too many.
 */
async function assertSpace(
  { store }: Pick<ServiceContext, 'store'>,
  account: Account,
  added: number,
  countNew: () => Promise<number>,
): Promise<void> {
  const max = getAccountLimit(account.limits, 'contacts')
  const present = await store.contacts.count(account.id)
  if (present + added <= max) return
  if (present + (await countNew()) <= max) return
  throw new RelayError(
    'invalid_state',
    `The account may have ${formatCount(max)} contacts, and has ${formatCount(present)}.`,
    { hint: 'Delete some, or ask the owner of the relay for a higher limit.' },
  )
}

/** Of several drafts with one number, the last one counts. */
async function validateDrafts(
  drafts: readonly (ContactDraft | InvalidContact)[],
  country: string,
): Promise<{ byNumber: Map<string, ContactDraft>; invalid: InvalidContact[] }> {
  const byNumber = new Map<string, ContactDraft>()
  const invalid: InvalidContact[] = []
  for (const [index, draft] of drafts.entries()) {
    if (index % maxNumbersPerTurn === maxNumbersPerTurn - 1) await setImmediate()
    if ('problem' in draft) {
      invalid.push(draft)
      continue
    }
    try {
      byNumber.set(requireCanonicalNumber(draft.number, country, '`number`'), draft)
    } catch (error) {
      if (!isRelayError(error, 'invalid_parameter')) throw error
      invalid.push({ index, problem: error.message })
    }
  }
  return { byNumber, invalid }
}

/** Groups that are missing are created only if the contacts are stored. */
async function findGroups(
  service: GroupService,
  account: Account,
  drafts: Iterable<ContactDraft>,
  isStored: boolean,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  for (const { groups = [] } of drafts)
    for (const name of groups) names.set(normalizeName(name), name)
  const ids = isStored
    ? await service.requireAll(account, [...names.values()])
    : await service.findAll(account, [...names.values()])
  return new Map([...names.keys()].map((name, at) => [name, ids[at] ?? '']))
}

/** Returns the same object if nothing changes. Empty values do not replace others. */
function mergeDraft(
  current: Contact,
  draft: ContactDraft,
  ids: ReadonlyMap<string, string>,
): Contact {
  const { name: oldName, fields: oldFields = {}, groups: oldGroups = [], ...rest } = current
  const filled = Object.entries(draft.fields ?? {}).filter(([, value]) => value !== '')
  const fields = { ...oldFields, ...Object.fromEntries(filled) }
  if (Object.keys(fields).length > limits.contactFields)
    throw new RelayError(
      'invalid_parameter',
      `${current.number} would have more than ${limits.contactFields} fields.`,
    )
  const added = (draft.groups ?? []).map(name => ids.get(normalizeName(name)) ?? '')
  const groups = [...new Set([...oldGroups, ...added])]
  const name = draft.name === undefined || draft.name === '' ? oldName : draft.name
  const merged = {
    ...{ ...rest, name },
    ...(Object.keys(fields).length === 0 ? {} : { fields }),
    ...(groups.length === 0 ? {} : { groups }),
  }
  return JSON.stringify(merged) === JSON.stringify(sortKeys(current)) ? current : merged
}

/** The contact with its fields in the order in which `mergeDraft` has them. */
function sortKeys({ name, fields, groups, ...rest }: Contact): object {
  return {
    ...{ ...rest, name },
    ...(fields === undefined ? {} : { fields }),
    ...(groups === undefined || groups.length === 0 ? {} : { groups }),
  }
}
