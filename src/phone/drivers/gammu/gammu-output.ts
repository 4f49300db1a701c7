import { DriverError, type DriverErrorKind } from '../../driver-port/driver.js'
import { AtError, sendingError } from '../modem/at-error.js'
import { addAdvice, describeResult } from '../program/external-program.js'
import type { ProgramResult } from '../program/run-program.js'

/** Exit statuses above 100 of a text that the phone refused to take, or that never got to it (gammu(1), RETURN VALUES). */
const notSentStatuses = new Set([
  2, 3, 4, 5, 6, 7, 8, 9, 10, 18, 19, 20, 21, 23, 25, 26, 30, 31, 32, 33, 35, 40, 49, 54, 62, 63,
  66, 69,
])

/** Exit statuses of a text that gammu itself does not take. */
const textStatuses = new Set([2, 129, 144])

/** What gammu says on stderr whenever it begins to send. */
const breakHint = /^If you want break.*$/m

/** What to do about the exit statuses one meets. */
const advice: Readonly<Record<number, string>> = {
  102: 'Is the phone plugged in, and is no other program using it?',
  103: 'Another program uses the phone, such as gammu-smsd or ModemManager: stop it.',
  104: 'Look at device in the configuration of gammu, and whether the phone is plugged in.',
  105: 'Another program uses the phone, such as gammu-smsd or ModemManager: stop it.',
  106: 'Let this user use the device: sudo usermod -a -G dialout USER, and sign in again.',
  114: 'Is it the right device? Modems have several; try the next one.',
  123: 'Enter the PIN once: gammu entersecuritycode PIN -.',
  131: 'Set the number of the service centre: gammu setsmsc 1 NUMBER.',
  149: 'Is there a SIM in the phone?',
  154: 'Write a configuration: gammu-config.',
  169: 'Set the number of the service centre: gammu setsmsc 1 NUMBER.',
}

/**
 * The parts `gammu sendsms` has sent, by what it says: `Sending SMS 1/2....waiting for network answer..OK, message
 * reference=7` for each. Throws {@link DriverError}.
 */
export function parsePartsSent(ended: ProgramResult): number {
  const begun = [...ended.stdout.matchAll(/Sending SMS \d+\/(\d+)/g)]
  const taken = [...ended.stdout.matchAll(/\.\.OK, message reference=/g)].length
  const parts = Number(begun.at(0)?.[1] ?? 0)
  if (ended.by === 'exit' && ended.status === 0 && parts > 0 && taken === parts) return parts
  if (taken > 0)
    throw new DriverError(
      'unknown',
      `${taken} of ${parts} parts sent. ${describeGammuOutput(ended)}`,
    )
  const refusal = /\.\.error (\d+)/.exec(ended.stdout)?.[1]
  if (refusal !== undefined) {
    throw sendingError(new AtError({ by: 'sms', code: Number(refusal) }, true))
  }
  throw new DriverError(getErrorKind(ended, begun.length > 0), describeGammuOutput(ended))
}

function getErrorKind(ended: ProgramResult, begun: boolean): DriverErrorKind {
  if (begun)
    return ended.by === 'exit' && notSentStatuses.has(ended.status - 100) ? 'trouble' : 'unknown'
  if (ended.by === 'exit') return textStatuses.has(ended.status) ? 'fail' : 'trouble'
  // A text that crashes gammu must not do so for ever.
  return ended.by === 'signal' ? 'retry' : 'trouble'
}

/** What gammu said and what to do about it. */
export function describeGammuOutput(ended: ProgramResult): string {
  const todo = ended.by === 'exit' ? advice[ended.status] : undefined
  const words = describeResult('gammu', { ...ended, stderr: ended.stderr.replace(breakHint, '') })
  return addAdvice(words, todo)
}
