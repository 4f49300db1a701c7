import { journalName } from '../../../phone/journal/file-journal.js'
import type { Connection } from '../../profile/connection.js'
import { defaultJournalDir } from '../../profile/directories.js'
import type { Setup } from '../setup/saved-setup.js'
import { type Check, failedBy } from './check-result.js'
import { driverChecks } from './driver-checks.js'
import { hoursCheck, journalCheck, rateCheck } from './local-checks.js'
import { relayChecks } from './relay-checks.js'

/** What {@link examine} works with. */
export interface Patient {
  readonly setup: Setup
  /** The relay and the keys. Throws `usage`. */
  readonly connect: () => Promise<Connection>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

/** Looks at everything a phone needs, one after the other; takes no message and sends no text. */
export async function* examine(patient: Patient): AsyncGenerator<Check> {
  const { setup, env, signal, now = Date.now } = patient
  const connection = await patient.connect().catch((error: unknown) => failedBy('relay', error))
  const isConnected = 'credentials' in connection
  if (isConnected) yield* relayChecks(connection, signal)
  else yield connection
  const known = isConnected || setup.journal !== undefined || setup['no-journal'] === true
  const journal = known
    ? await journalCheck(directoryOf(setup, env, isConnected ? connection : undefined))
    : undefined
  if (journal !== undefined) yield journal
  const isRunning = journal?.result === 'warning' && setup['no-journal'] !== true
  yield* driverChecks(setup, { env, signal, isRunning })
  yield rateCheck(setup)
  yield hoursCheck(setup, now())
}

function directoryOf(
  setup: Setup,
  env: Patient['env'],
  connection: Connection | undefined,
): string | undefined {
  if (setup['no-journal'] === true) return undefined
  if (setup.journal !== undefined || connection === undefined) return setup.journal
  return defaultJournalDir(journalName(connection.url, connection.credentials.user), env)
}
