import { digest } from '../../../util/crypto/secrets.js'
import { DriverError, type DriverListener } from '../../driver-port/driver.js'
import type { Ended } from '../program/run-program.js'
import { exactText, readBackup } from './gammu-backup.js'
import { said } from './gammu-output.js'
import { type StoredText, storedText } from './gammu-stored-text.js'

/** Runs gammu, with the phone for itself; resolves to what it said. */
export type RunGammu = (args: readonly string[]) => Promise<Ended>

/**
 * Tells of the texts that the phone has received, and deletes each once it is kept. A list of several texts cannot be
 * read for certain, as a text may look like the beginning of another: so it says only where texts may be, and each is
 * asked for by itself. Throws `trouble`.
 */
export async function readGammuInbox(run: RunGammu, listener: DriverListener): Promise<void> {
  const places = placesIn(await ask(run, ['getallsms']))
  let stuck: Ended | undefined
  let backup: ReturnType<typeof readBackup> | undefined
  for (const place of places) {
    const stored = storedText(await ask(run, ['getsms', '0', place]))
    if (stored === undefined) continue
    const { from, sent, part, halves } = stored
    // A character in two parts is only told whole by a backup.
    if (halves) backup ??= readBackup(run)
    const text = exactText(stored, halves ? ((await backup) ?? []) : [])
    const ref = refOf(from, stored.text, sent, part)
    await listener.received({ from, text, at: timeOf(stored), ref, ...(part && { part }) })
    const deleted = await run(['deletesms', '0', place])
    if (!isWell(deleted)) stuck ??= deleted
  }
  if (stuck !== undefined) throw trouble('One that came in cannot be deleted', stuck)
}

async function ask(run: RunGammu, args: readonly string[]): Promise<string> {
  const ended = await run(args)
  if (isWell(ended)) return ended.stdout
  throw trouble('Texts that come in cannot be read', ended)
}

function isWell(ended: Ended): boolean {
  return ended.by === 'exit' && ended.status === 0
}

function trouble(what: string, ended: Ended): DriverError {
  return new DriverError('trouble', `${what}. ${said(ended)}`)
}

/** Locations in the flat counting of `gammu getsms 0`; some may be part of a text, and then nothing is there. */
function placesIn(list: string): readonly string[] {
  const heads = list.matchAll(/^Location (\d{1,9}), folder /gm)
  return [...new Set([...heads].flatMap(([, place]) => place ?? []))]
}

/** Milliseconds since the epoch; 0 where it cannot be read. */
function timeOf({ sent }: StoredText): number {
  const at = Date.parse(sent)
  return Number.isNaN(at) ? 0 : at
}

/** Locations are used again, so the text itself tells which it is. */
function refOf(...facts: readonly unknown[]): string {
  return digest(JSON.stringify(facts))
}
