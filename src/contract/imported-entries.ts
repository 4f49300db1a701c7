import type { DoNotTextReason } from '../domain/account/account.js'
import { parseDateTime } from '../domain/time/date-time.js'
import { isRelayError } from '../errors.js'
import { importedEntry } from './do-not-text-schema.js'
import { parseInput } from './schema/parse.js'

/** An entry to import whose fields are as they have to be. */
export interface ImportDraft {
  readonly number: string
  readonly note?: string | undefined
  /** Milliseconds since the epoch. */
  readonly at?: number | undefined
  readonly reason?: DoNotTextReason | undefined
}

/** One that is not: its place, from 0, and what is wrong with it, in one sentence. */
export interface ImportFault {
  readonly index: number
  readonly problem: string
}

/** Checks entries one by one. */
export function parseImportedEntries(entries: readonly unknown[]): (ImportDraft | ImportFault)[] {
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
