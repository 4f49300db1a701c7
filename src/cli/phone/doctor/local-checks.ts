import { isRelayError } from '../../../errors.js'
import { createQuietHours } from '../../../phone/quiet-hours/quiet-hours.js'
import { type PartsRate, parseRate } from '../../../phone/rate-limit/parts-rate.js'
import { lockDirectory } from '../../../util/files/directory-lock.js'
import type { Setup } from '../setup/saved-setup.js'
import { type CheckResult, createOkResult, createProblem, toFailedResult } from './check-result.js'

/** Looks at the journal's directory: whether it can be written, and whether a phone has it. */
export async function checkJournal(directory: string | undefined): Promise<CheckResult> {
  if (directory === undefined) {
    const hint = 'Leave --no-journal out.'
    return createProblem(
      'warning',
      'journal',
      'There is none: after a crash texts may go twice.',
      hint,
    )
  }
  try {
    const lock = await lockDirectory(directory)
    await lock.release()
    return createOkResult('journal', `${directory} can be written, and no phone uses it.`)
  } catch (error) {
    if (!isRelayError(error, 'directory_in_use')) {
      return toFailedResult('journal', error)
    }
    const hint =
      'That is as it should be where it is meant to run; a second one needs another --journal.'
    return createProblem('warning', 'journal', `A phone is running with ${directory}.`, hint)
  }
}

/** Looks at the limits: whether they can be read, and whether each of them means something. */
export function checkRates({ rate: typed = [] }: Setup): CheckResult {
  try {
    const rates = typed.map(parseRate)
    if (rates.length === 0) return createOkResult('rate', 'No limit.')
    const idle = rates.find(each => rates.some(other => isStricter(other, each)))
    const names = rates.map(({ name }) => name).join(', ')
    if (idle === undefined) return createOkResult('rate', `At most ${names}, in parts.`)
    return createProblem(
      'warning',
      'rate',
      `${idle.name} is never reached: ${names}.`,
      'Leave it out.',
    )
  } catch (error) {
    return toFailedResult('rate', error)
  }
}

/** Whether one limit keeps a phone from ever reaching another of the same time or a longer one. */
function isStricter(one: PartsRate, other: PartsRate): boolean {
  if (one === other || one.period > other.period) return false
  const most = one.parts * (other.period / one.period)
  return most < other.parts || (most === other.parts && one.period < other.period)
}

/** Looks at the quiet hours and the zone in which they are. */
export function checkQuietHours(setup: Setup, now: number): CheckResult {
  const { quiet = [], 'time-zone': given } = setup
  try {
    const hours = createQuietHours(quiet, given)
    if (hours === undefined) return createOkResult('quiet hours', 'None.')
    const zone = given ?? Intl.DateTimeFormat().resolvedOptions().timeZone
    const until = hours.getEnd(now)
    const time = new Date(until ?? now).toLocaleTimeString('en-GB', { timeZone: zone })
    const detail = `${quiet.join(', ')} in ${zone}, where it is ${formatTimeIn(now, zone)}`
    if (until !== undefined) {
      return createProblem(
        'warning',
        'quiet hours',
        `${detail}: quiet until ${time}.`,
        'Nothing is sent before.',
      )
    }
    if (given === undefined && zone === 'UTC') {
      const hint = 'Name the zone of the people who get the texts: --time-zone Europe/Berlin.'
      return createProblem('warning', 'quiet hours', `${detail}; this machine's zone is UTC.`, hint)
    }
    return createOkResult('quiet hours', `${detail}.`)
  } catch (error) {
    return toFailedResult('quiet hours', error)
  }
}

function formatTimeIn(now: number, timeZone: string): string {
  return new Date(now).toLocaleTimeString('en-GB', { timeZone })
}
