import { z } from 'zod'
import { doNotTextReasons } from '../domain/account/do-not-text.js'
import { limits } from '../domain/limits.js'
import { booleanField, dateTimeField, textField } from './schema/schema-fields.js'

const note = textField(0, limits.note)

/** What POST /blocklist takes (extension: the account's Do Not Text list). */
export const doNotTextCreate = z.object({
  number: textField(1, limits.destination),
  note: note.optional(),
})

/** What POST /blocklist/import takes: entries, whose own faults are told in the reply (extension). */
export const doNotTextImport = z.object({
  entries: z
    .array(z.unknown(), { error: 'must be an array' })
    .min(1, { error: 'must have an entry' })
    .max(limits.blockBatch, { error: `must have at most ${limits.blockBatch} entries` }),
  /** Whether nothing is to be listed, or nothing where an entry is invalid. */
  dry_run: booleanField.default(false),
  skip_invalid: booleanField.default(false),
})

/** One entry of an import; `added_on` and `reason` are those of the list it comes from. */
export const importedEntry = z.object({
  number: textField(1, limits.destination),
  note: note.optional(),
  added_on: dateTimeField.optional(),
  reason: z
    .enum(doNotTextReasons, { error: `must be one of ${doNotTextReasons.join(', ')}` })
    .optional(),
})

export type {
  DoNotTextFields,
  DoNotTextImportReply,
  DoNotTextListReply,
  DoNotTextReply,
  InvalidEntry,
} from './blocklist-reply.js'
export type ImportedEntry = z.infer<typeof importedEntry>
