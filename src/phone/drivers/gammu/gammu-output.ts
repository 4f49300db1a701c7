import { DriverError, type DriverErrorKind } from '../../driver-port/driver.js'
import { AtError, sendingError } from '../modem/at-error.js'
import { addAdvice, describeResult, hasSucceeded } from '../program/external-program.js'
import type { ProgramResult } from '../program/run-program.js'

/** Exit statuses of gammu minus 100 for texts that were not sent (gammu(1), RETURN VALUES). */
const notSentStatuses = new Set([
  2, 3, 4, 5, 6, 7, 8, 9, 10, 18, 19, 20, 21, 23, 25, 26, 30, 31, 32, 33, 35, 40, 49, 54, 62, 63,
  66, 69,
])

const textStatuses = new Set([2, 129, 144])

/** A line that gammu prints on stderr each time it begins to send. */
const breakHint = /^If you want break.*$/m

const otherProgram = 'Another program uses the phone, such as gammu-smsd or ModemManager; stop it.'
const setServiceCentre = 'Set the number of the service centre: gammu setsmsc 1 NUMBER.'

const advice: Readonly<Record<number, string>> = {
  102: 'Check that the phone is plugged in and that no other program uses it.',
  103: otherProgram,
  104: 'Check the device in the configuration of gammu, and that the phone is plugged in.',
  105: otherProgram,
  106: 'Let this user use the device: sudo usermod -a -G dialout USER, and sign in again.',
  114: 'Check the device; a modem has several, so try the next one.',
  123: 'Enter the PIN once: gammu entersecuritycode PIN -.',
  131: setServiceCentre,
  149: 'Check that there is a SIM in the phone.',
  154: 'Create a configuration: gammu-config.',
  169: setServiceCentre,
}

/**
 * Counts the parts that `gammu sendsms` has sent: for each it prints `Sending SMS 1/2....waiting
 * for network answer..OK, message reference=7`. Throws {@link DriverError}.
 */
export function parsePartsSent(result: ProgramResult): number {
  const started = [...result.stdout.matchAll(/Sending SMS \d+\/(\d+)/g)]
  const sent = [...result.stdout.matchAll(/\.\.OK, message reference=/g)].length
  const parts = Number(started.at(0)?.[1] ?? 0)
  if (hasSucceeded(result) && parts > 0 && sent === parts) return parts
  const description = describeGammuOutput(result)
  if (sent > 0) throw new DriverError('unknown', `${sent} of ${parts} parts sent. ${description}`)
  const networkError = /\.\.error (\d+)/.exec(result.stdout)?.[1]
  if (networkError !== undefined) {
    throw sendingError(new AtError({ by: 'sms', code: Number(networkError) }, true))
  }
  throw new DriverError(getErrorKind(result, started.length > 0), description)
}

function getErrorKind(result: ProgramResult, isStarted: boolean): DriverErrorKind {
  if (isStarted) {
    const isNotSent = result.by === 'exit' && notSentStatuses.has(result.status - 100)
    return isNotSent ? 'trouble' : 'unknown'
  }
  if (result.by === 'exit') return textStatuses.has(result.status) ? 'fail' : 'trouble'
  // A crash of gammu counts as an attempt, so that a text that causes it is not tried forever.
  return result.by === 'signal' ? 'retry' : 'trouble'
}

export function describeGammuOutput(result: ProgramResult): string {
  const stderr = result.stderr.replace(breakHint, '')
  const description = describeResult('gammu', { ...result, stderr })
  return addAdvice(description, result.by === 'exit' ? advice[result.status] : undefined)
}
