import { hashText } from '../../../util/crypto/secrets.js'
import { DriverError, type DriverListener } from '../../driver-port/driver.js'
import type { ProgramResult } from '../program/run-program.js'
import { findExactText, readBackup } from './gammu-backup.js'
import { describeGammuOutput } from './gammu-output.js'
import { parseStoredText, type StoredText } from './gammu-stored-text.js'

/** Runs gammu, with the phone for itself; resolves to what it said. */
export type RunGammu = (args: readonly string[]) => Promise<ProgramResult>

/**
 * Tells of the texts that the phone has received, and deletes each once it is kept. A list of several texts cannot be
 * read for certain, as a text may look like the beginning of another: so it says only where texts may be, and each is
 * asked for by itself. Throws `trouble`.
 */
export async function readGammuInbox(run: RunGammu, listener: DriverListener): Promise<void> {
  const places = parseLocations(await runOrThrow(run, ['getallsms']))
  let stuck: ProgramResult | undefined
  let backup: ReturnType<typeof readBackup> | undefined
  for (const place of places) {
    const stored = parseStoredText(await runOrThrow(run, ['getsms', '0', place]))
    if (stored === undefined) continue
    const { from, sent, part, halves } = stored
    // A character in two parts is only told whole by a backup.
    if (halves) backup ??= readBackup(run)
    const text = findExactText(stored, halves ? ((await backup) ?? []) : [])
    const ref = createRef(from, stored.text, sent, part)
    await listener.onText({ from, text, at: parseSentTime(stored), ref, ...(part && { part }) })
    const deleted = await run(['deletesms', '0', place])
    if (!hasSucceeded(deleted)) stuck ??= deleted
  }
  if (stuck !== undefined) throw inboxError('One that came in cannot be deleted', stuck)
}

async function runOrThrow(run: RunGammu, args: readonly string[]): Promise<string> {
  const ended = await run(args)
  if (hasSucceeded(ended)) return ended.stdout
  throw inboxError('Texts that come in cannot be read', ended)
}

function hasSucceeded(ended: ProgramResult): boolean {
  return ended.by === 'exit' && ended.status === 0
}

function inboxError(what: string, ended: ProgramResult): DriverError {
  return new DriverError('trouble', `${what}. ${describeGammuOutput(ended)}`)
}

/** Locations in the flat counting of `gammu getsms 0`; some may be part of a text, and then nothing is there. */
function parseLocations(list: string): readonly string[] {
  const heads = list.matchAll(/^Location (\d{1,9}), folder /gm)
  return [...new Set([...heads].flatMap(([, place]) => place ?? []))]
}

/** Milliseconds since the epoch; 0 where it cannot be read. */
function parseSentTime({ sent }: StoredText): number {
  const at = Date.parse(sent)
  return Number.isNaN(at) ? 0 : at
}

/** Locations are used again, so the text itself tells which it is. */
function createRef(...facts: readonly unknown[]): string {
  return hashText(JSON.stringify(facts))
}
