// The requests and replies of contacts, groups and templates.
// - contact-schema: contacts, one and many; the names of groups in them
// - group-schema, template-schema: groups and templates
// - contact-csv: contacts as a CSV file
//
// A contact names its groups, while the store has their identifiers.
import * as z from 'zod/mini'
import type { Contact } from '../../domain/contact/contact.js'
import { findFieldNameProblem, normalizeFieldName } from '../../domain/contact/contact-field.js'
import { limits } from '../../domain/limits.js'
import { formatDateTime } from '../../domain/time/date-time.js'
import { isRelayError } from '../../errors.js'
import { group } from '../../resources/group.js'
import { annotate, describe, utcTime, whole } from '../schema/describe.js'
import { pageLinks } from '../schema/list-page-schema.js'
import { parseInput } from '../schema/parse.js'
import { createInputField } from '../schema/resource-schema.js'
import {
  booleanField,
  integerField,
  lineField,
  queryObject,
  textField,
} from '../schema/schema-fields.js'

const contactFields = z.lazy(() =>
  describe(
    z.object({
      number: describe(z.string(), 'The canonical number; an account has one contact for it.'),
      name: describe(z.string(), 'The name; can be empty.'),
      fields: describe(
        z.record(z.string(), z.string()),
        'Values that templates insert, by the name of the field.',
      ),
      groups: describe(z.array(z.string()), 'Names of the groups.'),
      created_on: describe(z.string(), 'When the contact was created.', utcTime),
    }),
    'A contact.',
    { id: 'Contact' },
  ),
)

export const contactReply = z.lazy(() => z.object({ contact: contactFields }))

export const contactListReply = z.lazy(() =>
  z.object({
    contacts: describe(z.array(contactReply), 'The contacts, in order of their names.'),
    links: pageLinks,
  }),
)

export const contactNumberReply = z.lazy(() =>
  z.object({
    contact: describe(
      z.object({ number: describe(z.string(), 'The number of the contact.') }),
      'The contact.',
    ),
  }),
)

const cursorError = 'must be the `after` in `links.next` of a page'

export const contactQuery = z.lazy(() =>
  queryObject({
    count: describe(
      z._default(integerField(1, limits.contactBatch), limits.listMax),
      'The most items of the page.',
    ),
    after: describe(
      z.optional(
        z.string({ error: cursorError }).check(z.regex(/^[\w-]{1,1600}$/, { error: cursorError })),
      ),
      'The cursor of the page, from `links.next` of the page before.',
    ),
    group: describe(z.optional(groupName), 'Name of a group: only its members.'),
    search: describe(
      z.optional(textField(1, limits.contactName)),
      'A part of the name or of the number.',
    ),
  }),
)

/** Request field: the name of a group. */
export const groupName = z.lazy(() => createInputField(group.fields.name))

const fieldsField = z.lazy(() => {
  const error = 'must be an object with texts'
  // A record drops this name without an error.
  const dropped = '__proto__'
  const checked = z.unknown().check(
    z.refine(value => !(value instanceof Object && Object.hasOwn(value, dropped)), {
      error: findFieldNameProblem(dropped, limits.contactFieldName),
    }),
  )
  const schema = z.pipe(
    z.pipe(checked, z.record(z.string(), textField(0, limits.contactField), { error })),
    z.transform((fields, context) => {
      const entries = Object.entries(fields).map(
        ([name, value]) => [normalizeFieldName(name), value] as const,
      )
      const problem =
        entries.length > limits.contactFields
          ? `must have at most ${limits.contactFields} fields`
          : entries
              .map(([name]) => findFieldNameProblem(name, limits.contactFieldName))
              .find(each => each !== undefined)
      if (problem !== undefined)
        context.issues.push({ code: 'custom', message: problem, input: fields })
      return Object.fromEntries(entries)
    }),
  )
  const items = { type: 'string', maxLength: limits.contactField }
  return annotate(schema, {
    replace: { type: 'object', maxProperties: limits.contactFields, additionalProperties: items },
  })
})

const groupsField = z.lazy(() => {
  const error = `must be a list of at most ${limits.contactGroups} names of groups`
  const fromForm = z.pipe(z.string(), z.transform(splitGroups))
  const schema = z.union([z.array(z.string()), fromForm], { error }).check(
    z.maxLength(limits.contactGroups, { error }),
    z.refine(names => names.every(each => groupName.safeParse(each).success), {
      error:
        `must be names of 1 to ${limits.contactName} characters in one line, ` +
        'without comma and semicolon',
    }),
  )
  const items = { type: 'string', minLength: 1, maxLength: limits.contactName }
  return annotate(schema, { replace: { type: 'array', maxItems: limits.contactGroups, items } })
})

/** The names of groups in a cell or form field, separated by commas or semicolons. */
export function splitGroups(text: string): string[] {
  return text
    .split(/[,;\n]/)
    .map(name => name.trim())
    .filter(name => name !== '')
}

const fields = z.lazy(() =>
  describe(z.optional(fieldsField), 'Values that templates insert, by name; replaces all fields.'),
)
const groups = z.lazy(() =>
  describe(z.optional(groupsField), 'Names of groups; those that are missing are created.'),
)
const name = z.lazy(() => describe(z.optional(lineField(0, limits.contactName)), 'The name.'))
const number = z.lazy(() =>
  describe(textField(1, limits.destination), 'The number, as for `destination` of a message.'),
)

export const contactCreate = z.lazy(() => z.object({ number, name, fields, groups }))

export const contactEdit = z.lazy(() =>
  z.object({ name, fields, groups }).check(
    z.refine(edit => Object.values(edit).some(value => value !== undefined), {
      error: 'must have at least one of name, fields and groups',
    }),
  ),
)

/** The body of POST /contact/import (extension); the reply has the errors of its contacts. */
export const contactImport = z.lazy(() =>
  z.object({
    contacts: describe(
      z.array(z.unknown(), { error: 'must be an array' }).check(
        z.minLength(1, { error: 'must have a contact' }),
        z.maxLength(limits.contactBatch, {
          error: `must have at most ${limits.contactBatch} contacts`,
        }),
      ),
      'The contacts.',
      { itemSchema: contactCreate },
    ),
    dry_run: describe(z._default(booleanField(), false), 'Only says what it would do.'),
    skip_invalid: describe(
      z._default(booleanField(), false),
      'Stores the valid contacts even if others are invalid.',
    ),
  }),
)

export const contactImportReply = z.lazy(() =>
  z.object({
    added: describe(z.number(), 'Contacts that were added, or in a dry run would be.', whole),
    changed: describe(z.number(), 'Contacts that got another name, field or group.', whole),
    unchanged: describe(z.number(), 'Contacts that were the same before.', whole),
    invalid: describe(
      z.array(
        z.object({
          index: describe(z.number(), 'The position in the request, from 0.', whole),
          problem: describe(z.string(), 'What is wrong with it.'),
        }),
      ),
      'The contacts that are invalid.',
    ),
  }),
)

export type ContactFields = z.infer<typeof contactFields>
export type ContactReply = z.infer<typeof contactReply>
export type ContactCreate = z.infer<typeof contactCreate>
export type ContactEdit = z.infer<typeof contactEdit>
export type ContactImportReply = z.infer<typeof contactImportReply>

export function parseImportedContacts(
  contacts: readonly unknown[],
): (ContactCreate | { readonly index: number; readonly problem: string })[] {
  return contacts.map((each, index) => {
    try {
      return parseInput(contactCreate, each, 'contact')
    } catch (error) {
      if (isRelayError(error)) return { index, problem: error.message }
      throw error
    }
  })
}

/** @param names names of groups by identifier */
export function toContactFields(
  { number, name, fields = {}, groups = [], createdAt }: Contact,
  names: ReadonlyMap<string, string>,
): ContactFields {
  const known = groups.map(id => names.get(id)).filter(each => each !== undefined)
  return {
    number,
    name,
    fields: { ...fields },
    groups: known,
    created_on: formatDateTime(createdAt),
  }
}
