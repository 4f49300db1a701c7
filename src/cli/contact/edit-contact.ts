import { string } from '@oclif/core/flags'
import type { CallOptions } from '../../client/call-options.js'
import type { RelayClient } from '../../client/relay-client.js'
import type { ContactEdit, ContactFields } from '../../contract/contact/contact-schema.js'
import { normalizeName } from '../../domain/contact/contact.js'
import { normalizeFieldName } from '../../domain/contact/contact-field.js'
import { isRelayError, RelayError } from '../../errors.js'
import type { GroupFields } from '../../resources/group.js'

export const contactFlags = {
  name: string({
    description: 'Name of the contact.',
    env: 'SMSRELAY_CONTACT_NAME',
    helpValue: 'NAME',
  }),
  field: string({
    description: 'Field for templates, such as city=Rome; can be repeated.',
    env: 'SMSRELAY_CONTACT_FIELD',
    helpValue: 'FIELD=VALUE',
    multiple: true,
    multipleNonGreedy: true,
  }),
}

/** Parses the values of --field. An empty value removes a field. Throws `usage`. */
export function parseFields(values: readonly string[] = []): Record<string, string> {
  const fields = values.map(value => {
    const at = value.indexOf('=')
    if (at > 0) return [value.slice(0, at), value.slice(at + 1)] as const
    throw new RelayError('usage', `--field ${value} is not FIELD=VALUE.`, {
      hint: 'Type, for example: --field city=Rome',
    })
  })
  return Object.fromEntries(fields)
}

/** How often the contact can change between a read and the change before the command gives up. */
const maxAttempts = 5

/**
 * Changes what a contact has now, and keeps what somebody else changes at the same time. Throws
 * `not_found`.
 */
export async function editContact(
  { contacts }: Pick<RelayClient, 'contacts'>,
  number: string,
  decide: (contact: ContactFields) => ContactEdit,
  options: CallOptions,
): Promise<ContactFields> {
  for (let attempt = 1; ; attempt += 1) {
    const { resource, tag: ifMatch } = await contacts.getTagged(number, options)
    try {
      return await contacts.edit(number, decide(resource), { ...options, ifMatch })
    } catch (error) {
      if (!isRelayError(error, 'precondition_failed') || attempt === maxAttempts) throw error
    }
  }
}

export function mergeFields(
  fields: ContactFields['fields'],
  changes: Readonly<Record<string, string>>,
): Record<string, string> {
  const named = Object.entries(changes).map(([name, value]) => [normalizeFieldName(name), value])
  const merged: Record<string, string> = { ...fields, ...Object.fromEntries(named) }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ''))
}

/** The groups of a contact after a change of them; letter case does not matter. */
export function mergeGroups(
  groups: readonly string[],
  added: readonly string[] = [],
  removed: readonly string[] = [],
): string[] {
  const has = (names: readonly string[], name: string) =>
    names.some(each => normalizeName(each) === normalizeName(name))
  const kept = groups.filter(each => !has(removed, each))
  return [...kept, ...added.filter(each => !has(kept, each))]
}

export async function findGroup(
  { groups }: Pick<RelayClient, 'groups'>,
  name: string,
  options: CallOptions,
): Promise<GroupFields> {
  const all = await groups.list(options)
  const key = normalizeName(name)
  const found = all.find(each => each.id === name || normalizeName(each.name) === key)
  if (found !== undefined) return found
  throw new RelayError('not_found', `There is no group ${name}.`, {
    hint: 'List them with: smsrelay group list',
  })
}
