// `smsrelay phone doctor` checks everything that a phone needs. It takes no message and sends no
// text.
//
// 1. relay-checks.ts: the relay is reachable, its clock agrees, and the keys are right.
// 2. run-checks.ts: the journal can be written, and no running phone uses it.
// 3. driver-checks.ts: the settings are complete, and each driver reports its health.
// 4. run-checks.ts: the rates and the quiet hours.
//
// Each check gives a result of check-result.ts, which commands/phone/doctor.ts prints.
import { getSystemZone } from '../../../domain/time/zoned-time.js'
import { isRelayError } from '../../../errors.js'
import { createQuietHours } from '../../../phone/quiet-hours/quiet-hours.js'
import { type PartsRate, parseRate } from '../../../phone/rate-limit/parts-rate.js'
import type { Clock } from '../../../util/async/clock.js'
import { becomeOwner } from '../../../util/files/become-owner.js'
import { lockDirectory } from '../../../util/files/directory-lock.js'
import type { KeyConnection } from '../../profile/connection.js'
import { enterJournalDir } from '../running-phone.js'
import type { Setup } from '../setup/saved-setup.js'
import { type CheckResult, createOk, createWarning, toFailure } from './check-result.js'
import { checkDrivers } from './driver-checks.js'
import { checkRelay } from './relay-checks.js'

export interface CheckTarget {
  readonly setup: Setup
  readonly connect: () => Promise<KeyConnection>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
  readonly clock: Clock
}

export async function* runChecks(target: CheckTarget): AsyncGenerator<CheckResult> {
  const { setup, env, signal, clock } = target
  const connection = await target.connect().catch((error: unknown) => toFailure('relay', error))
  const isConnected = 'credentials' in connection
  if (isConnected) yield* checkRelay(connection, signal)
  else yield connection
  const journal = await checkJournal(setup, env, isConnected ? connection : undefined)
  if (journal !== undefined) yield journal
  const isRunning = journal?.result === 'warning' && setup['no-journal'] !== true
  yield* checkDrivers(setup, { env, signal, isRunning })
  yield checkRates(setup)
  yield checkQuietHours(setup, clock.now())
}

/** Checks the phone's journal directory, which is unknown without a connection to the relay. */
async function checkJournal(
  setup: Setup,
  env: CheckTarget['env'],
  connection: KeyConnection | undefined,
): Promise<CheckResult | undefined> {
  if (setup['no-journal'] === true) {
    const detail = 'There is no journal: after a crash, a text may be sent twice.'
    return createWarning('journal', detail, 'Remove --no-journal.')
  }
  const directory =
    connection === undefined
      ? setup.journal && becomeOwner(setup.journal)
      : enterJournalDir(setup.journal, connection, env)
  if (directory === undefined) return undefined
  try {
    const lock = await lockDirectory(directory)
    await lock.release()
    return createOk('journal', `${directory} can be written, and no running phone uses it.`)
  } catch (error) {
    if (!isRelayError(error, 'directory_in_use')) return toFailure('journal', error)
    const hint = 'A second phone on this machine needs another --journal.'
    return createWarning('journal', `A running phone uses ${directory}.`, hint)
  }
}

function checkRates({ rate: texts = [] }: Setup): CheckResult {
  try {
    const rates = texts.map(parseRate)
    if (rates.length === 0) return createOk('rate', 'There is no limit.')
    const useless = rates.find(each => rates.some(other => isStricter(other, each)))
    const names = rates.map(({ name }) => name).join(', ')
    if (useless === undefined) return createOk('rate', `At most ${names} parts.`)
    const detail = `${useless.name} is never reached, because another limit is stricter: ${names}.`
    return createWarning('rate', detail, `Remove --rate ${useless.name}.`)
  } catch (error) {
    return toFailure('rate', error)
  }
}

/**
 * Whether a phone that respects the rate `one` never reaches the rate `other`, which has an equal
 * or longer period.
 */
function isStricter(one: PartsRate, other: PartsRate): boolean {
  if (one === other || one.period > other.period) return false
  const max = one.parts * (other.period / one.period)
  return max < other.parts || (max === other.parts && one.period < other.period)
}

function checkQuietHours(setup: Setup, now: number): CheckResult {
  const { quiet = [], 'time-zone': givenZone } = setup
  const check = 'quiet hours'
  try {
    const hours = createQuietHours(quiet, givenZone)
    if (hours === undefined) return createOk(check, 'There are no quiet hours.')
    const zone = givenZone ?? getSystemZone()
    const end = hours.getEnd(now)
    const detail = `${quiet.join(', ')} in ${zone}, where it is now ${formatTime(now, zone)}`
    if (end !== undefined) {
      const hint = `The phone sends nothing until ${formatTime(end, zone)}.`
      return createWarning(check, `${detail}.`, hint)
    }
    if (givenZone === undefined && zone === 'UTC') {
      const hint = 'Set the time zone of the recipients: --time-zone Europe/Berlin.'
      return createWarning(check, `${detail}; the time zone of this machine is UTC.`, hint)
    }
    return createOk(check, `${detail}.`)
  } catch (error) {
    return toFailure(check, error)
  }
}

function formatTime(at: number, timeZone: string): string {
  return new Date(at).toLocaleTimeString('en-GB', { timeZone })
}
