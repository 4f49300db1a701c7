import * as z from 'zod/mini'
import type { DoNotTextEntry, DoNotTextReason } from '../domain/account/account.js'
import { doNotTextReasons } from '../domain/account/do-not-text.js'
import { limits } from '../domain/limits.js'
import { formatDateTime, parseDateTime } from '../domain/time/date-time.js'
import { isRelayError } from '../errors.js'
import { pageLinks, pageQuery } from './schema/list-page-schema.js'
import { parseInput } from './schema/parse.js'
import { booleanField, dateTimeField, textField } from './schema/schema-fields.js'

const doNotTextFields = z.lazy(() =>
  z.object({
    number: z.string(),
    added_on: z.string(),
    /** Scope of a Do Not Text entry: `account`, or `service` for an entry of all accounts. */
    scope: z.enum(['account', 'service']),
    /**
     * Why the number is on the Do Not Text list: `person`, `api`, `stop` (an opt-out keyword) or
     * `import`.
     */
    reason: z.optional(z.nullable(z.string())),
    /**
     * Reply field: who added the number, an e-mail address, a kind of key, `administration`, or the
     * number itself.
     */
    by: z.optional(z.nullable(z.string())),
    note: z.optional(z.nullable(z.string())),
  }),
)

export const doNotTextReply = z.lazy(() => z.object({ entry: doNotTextFields }))

export const doNotTextListReply = z.lazy(() =>
  z.object({ entries: z.array(doNotTextReply), links: pageLinks }),
)

const invalidEntry = z.lazy(() =>
  z.object({
    index: z.number(),
    problem: z.string(),
  }),
)

export const doNotTextImportReply = z.lazy(() =>
  z.object({
    /** Do Not Text numbers that were added, or in a dry run would be. */
    added: z.number(),
    /** Numbers that were on the Do Not Text list before. */
    listed: z.number(),
    invalid: z.array(invalidEntry),
  }),
)

export const doNotTextQuery = z.lazy(() => pageQuery(limits.doNotTextBatch))

const note = z.lazy(() => z.optional(textField(0, limits.note)))

export const doNotTextCreate = z.lazy(() =>
  z.object({ number: textField(1, limits.destination), note }),
)

/** The body of POST /do-not-text/import (extension); the reply has the errors of its entries. */
export const doNotTextImport = z.lazy(() =>
  z.object({
    entries: z.array(z.unknown(), { error: 'must be an array' }).check(
      z.minLength(1, { error: 'must have an entry' }),
      z.maxLength(limits.doNotTextBatch, {
        error: `must have at most ${limits.doNotTextBatch} entries`,
      }),
    ),
    dry_run: z._default(booleanField(), false),
    /** Request field: whether valid Do Not Text entries are added even if others are invalid. */
    skip_invalid: z._default(booleanField(), false),
  }),
)

/** One Do Not Text entry of an import; `added_on` and `reason` come from the imported list. */
const importedEntry = z.lazy(() =>
  z.object({
    number: textField(1, limits.destination),
    note,
    added_on: z.optional(dateTimeField()),
    reason: z.optional(
      z.enum(doNotTextReasons, { error: `must be one of ${doNotTextReasons.join(', ')}` }),
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

/** Parses each Do Not Text entry of an import request to a draft or an error of the reply. */
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
