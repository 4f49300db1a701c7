import { z } from 'zod'
import { blockReasons } from '../domain/account/do-not-text.js'
import { limits } from '../domain/limits.js'
import { boolean, dateTime, text } from './schema/schema-fields.js'

const note = text(0, limits.note)

/** What POST /blocklist takes (extension: the account's Do Not Text list). */
export const blocklistEntry = z.object({
  number: text(1, limits.destination),
  note: note.optional(),
})

/** What POST /blocklist/import takes: entries, whose own faults are told in the reply (extension). */
export const blocklistImport = z.object({
  entries: z
    .array(z.unknown(), { error: 'must be an array' })
    .min(1, { error: 'must have an entry' })
    .max(limits.blockBatch, { error: `must have at most ${limits.blockBatch} entries` }),
  /** Whether nothing is to be listed, or nothing where an entry is invalid. */
  dry_run: boolean.default(false),
  skip_invalid: boolean.default(false),
})

/** One entry of an import; `added_on` and `reason` are those of the list it comes from. */
export const importedEntry = z.object({
  number: text(1, limits.destination),
  note: note.optional(),
  added_on: dateTime.optional(),
  reason: z.enum(blockReasons, { error: `must be one of ${blockReasons.join(', ')}` }).optional(),
})

export type {
  BlocklistFields,
  BlocklistImportReply,
  BlocklistListReply,
  BlocklistReply,
  InvalidEntry,
} from './blocklist-reply.js'
export type ImportedEntry = z.infer<typeof importedEntry>
