import { getJournalName } from '../../../phone/journal/file-journal.js'
import type { Connection } from '../../profile/connection.js'
import { getDefaultJournalDir } from '../../profile/directories.js'
import type { Setup } from '../setup/saved-setup.js'
import { type CheckResult, toFailedResult } from './check-result.js'
import { checkDrivers } from './driver-checks.js'
import { checkJournal, checkQuietHours, checkRates } from './local-checks.js'
import { checkRelay } from './relay-checks.js'

/** What {@link examine} works with. */
export interface CheckTarget {
  readonly setup: Setup
  /** The relay and the keys. Throws `usage`. */
  readonly connect: () => Promise<Connection>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

/** Looks at everything a phone needs, one after the other; takes no message and sends no text. */
export async function* runChecks(patient: CheckTarget): AsyncGenerator<CheckResult> {
  const { setup, env, signal, now = Date.now } = patient
  const connection = await patient
    .connect()
    .catch((error: unknown) => toFailedResult('relay', error))
  const isConnected = 'credentials' in connection
  if (isConnected) yield* checkRelay(connection, signal)
  else yield connection
  const known = isConnected || setup.journal !== undefined || setup['no-journal'] === true
  const journal = known
    ? await checkJournal(getJournalDirectory(setup, env, isConnected ? connection : undefined))
    : undefined
  if (journal !== undefined) yield journal
  const isRunning = journal?.result === 'warning' && setup['no-journal'] !== true
  yield* checkDrivers(setup, { env, signal, isRunning })
  yield checkRates(setup)
  yield checkQuietHours(setup, now())
}

function getJournalDirectory(
  setup: Setup,
  env: CheckTarget['env'],
  connection: Connection | undefined,
): string | undefined {
  if (setup['no-journal'] === true) return undefined
  if (setup.journal !== undefined || connection === undefined) return setup.journal
  return getDefaultJournalDir(getJournalName(connection.url, connection.credentials.user), env)
}
