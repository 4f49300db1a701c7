import * as z from 'zod/mini'
import type { DoNotTextEntry, DoNotTextReason } from '../domain/account/account.js'
import { doNotTextReasons } from '../domain/account/do-not-text.js'
import { limits } from '../domain/limits.js'
import { formatDateTime, parseDateTime } from '../domain/time/date-time.js'
import { isRelayError } from '../errors.js'
import { describe, utcTime, whole } from './schema/describe.js'
import { pageLinks, pageQuery } from './schema/list-page-schema.js'
import { parseInput } from './schema/parse.js'
import { booleanField, dateTimeField, textField } from './schema/schema-fields.js'

const doNotTextFields = z.lazy(() =>
  describe(
    z.object({
      number: describe(z.string(), 'The canonical number.'),
      added_on: describe(z.string(), 'When it was added.', utcTime),
      scope: describe(
        z.enum(['account', 'service']),
        '`account`, or `service` for an entry of all accounts.',
      ),
      reason: describe(
        z.optional(z.nullable(z.string())),
        '`person` (somebody signed in), `api` (an API key), `stop` (an opt-out keyword) or ' +
          '`import`; null in entries of early versions.',
      ),
      by: describe(
        z.optional(z.nullable(z.string())),
        'Who added it: an e-mail address, `api key`, `administration`, or the number itself.',
      ),
      note: describe(z.optional(z.nullable(z.string())), 'A note for people.'),
    }),
    'A number on the Do Not Text list.',
    { id: 'DoNotTextEntry' },
  ),
)

export const doNotTextReply = z.lazy(() => z.object({ entry: doNotTextFields }))

export const doNotTextListReply = z.lazy(() =>
  z.object({
    entries: describe(z.array(doNotTextReply), 'The entries, in the order of `added_on`.'),
    links: pageLinks,
  }),
)

const invalidEntry = z.lazy(() =>
  z.object({
    index: describe(z.number(), 'The position of the entry in the request, from 0.', whole),
    problem: describe(z.string(), 'What is wrong with it.'),
  }),
)

export const doNotTextImportReply = z.lazy(() =>
  z.object({
    added: describe(z.number(), 'Numbers that were added, or in a dry run would be.', whole),
    listed: describe(z.number(), 'Numbers that were on the list before.', whole),
    invalid: describe(z.array(invalidEntry), 'The entries that are invalid.'),
  }),
)

export const doNotTextQuery = z.lazy(() => pageQuery(limits.doNotTextBatch))

const number = z.lazy(() =>
  describe(textField(1, limits.destination), 'The number, as for `destination` of a message.'),
)

const note = z.lazy(() => describe(z.optional(textField(0, limits.note)), 'A note for people.'))

export const doNotTextCreate = z.lazy(() => z.object({ number, note }))

/** The body of POST /do-not-text/import (extension); the reply has the errors of its entries. */
export const doNotTextImport = z.lazy(() =>
  z.object({
    entries: describe(
      z.array(z.unknown(), { error: 'must be an array' }).check(
        z.minLength(1, { error: 'must have an entry' }),
        z.maxLength(limits.doNotTextBatch, {
          error: `must have at most ${limits.doNotTextBatch} entries`,
        }),
      ),
      'The entries to add.',
      { itemSchema: importedEntry },
    ),
    dry_run: describe(z._default(booleanField(), false), 'Only says what it would do.'),
    skip_invalid: describe(
      z._default(booleanField(), false),
      'Adds the valid entries even if others are invalid.',
    ),
  }),
)

const importedEntry = z.lazy(() =>
  z.object({
    number,
    note,
    added_on: describe(z.optional(dateTimeField()), 'When it was added. Default: now.'),
    reason: describe(
      z.optional(
        z.enum(doNotTextReasons, { error: `must be one of ${doNotTextReasons.join(', ')}` }),
      ),
      'Why it is on the list. Default: `import`.',
    ),
  }),
)

export type DoNotTextFields = z.infer<typeof doNotTextFields>
export type DoNotTextReply = z.infer<typeof doNotTextReply>
export type DoNotTextImportReply = z.infer<typeof doNotTextImportReply>
export type InvalidEntry = z.infer<typeof invalidEntry>
export type ImportedEntry = z.infer<typeof importedEntry>

export interface ImportDraft {
  readonly number: string
  readonly note?: string | undefined
  /** Import field `added_on` in milliseconds since the epoch. */
  readonly at?: number | undefined
  readonly reason?: DoNotTextReason | undefined
}

export function parseImportedEntries(entries: readonly unknown[]): (ImportDraft | InvalidEntry)[] {
  return entries.map((entry, index) => {
    try {
      const { number, note, added_on: on, reason } = parseInput(importedEntry, entry, 'entry')
      return { number, note, reason, at: on === undefined ? undefined : parseDateTime(on) }
    } catch (error) {
      if (isRelayError(error)) return { index, problem: error.message }
      throw error
    }
  })
}

export function toDoNotTextFields(entry: DoNotTextEntry): DoNotTextFields {
  const { number, at, scope, reason = null, by = null, note = null } = entry
  return {
    number,
    added_on: formatDateTime(at),
    scope: scope === '*' ? 'service' : 'account',
    reason,
    by,
    note,
  }
}
