import { DriverError, type DriverErrorKind } from '../../driver-port/driver.js'
import { getSmsCause } from './sms-causes.js'

/** Why an AT command failed (3GPP TS 27.007 section 9, TS 27.005 section 3.2.5). */
export type AtFault =
  | { readonly by: 'sms'; readonly code: number }
  | { readonly by: 'equipment'; readonly code: number }
  | { readonly by: 'words'; readonly words: string }
  | { readonly by: 'silence' }
  | { readonly by: 'line'; readonly reason: string }

export class AtError extends Error {
  override readonly name = 'AtError'
  readonly fault: AtFault
  /** Whether the modem had the text, so that it may have been sent without an answer. */
  readonly isTextSent: boolean

  constructor(fault: AtFault, isTextSent = false) {
    super(describeFault(fault))
    this.fault = fault
    this.isTextSent = isTextSent
  }
}

/**
 * The error of a part that was not sent, or perhaps was. Once the modem has the text, only the
 * network's own cause says that it was not sent.
 */
export function sendingError(error: AtError): DriverError {
  return new DriverError(getErrorKind(error), error.message, { cause: error })
}

function getErrorKind({ fault, isTextSent }: AtError): DriverErrorKind {
  const cause = fault.by === 'sms' ? getSmsCause(fault.code) : undefined
  if (cause !== undefined) return cause.kind
  if (isTextSent) return 'unknown'
  if (fault.by === 'silence' || fault.by === 'line') return 'trouble'
  if (fault.by === 'sms') return smsTrouble.has(fault.code) ? 'trouble' : 'retry'
  if (fault.by === 'equipment') return equipmentTrouble.has(fault.code) ? 'trouble' : 'retry'
  return 'retry'
}

/** `+CMS ERROR` codes of a modem or SIM that is not ready (3GPP TS 27.005 section 3.2.5). */
const smsTrouble = new Set([
  ...[300, 301, 302, 303, 310, 311, 312, 313, 314, 315, 316, 317, 318, 320, 321, 322],
  ...[330, 331, 332, 340],
])

/** `+CME ERROR` codes of a modem, SIM or network that is not ready (3GPP TS 27.007 9.2). */
const equipmentTrouble = new Set([
  0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 30, 31, 32,
])

const meanings: Readonly<Record<string, string>> = {
  'sms 300': 'failure of the modem',
  'sms 304': 'invalid PDU',
  'sms 310': 'no SIM',
  'sms 311': 'the SIM needs its PIN',
  'sms 313': 'failure of the SIM',
  'sms 314': 'SIM busy',
  'sms 316': 'the SIM needs its PUK',
  'sms 320': 'failure of the memory',
  'sms 322': 'memory full',
  'sms 330': 'number of the service centre unknown',
  'sms 331': 'no network',
  'sms 332': 'timeout of the network',
  'equipment 10': 'no SIM',
  'equipment 11': 'the SIM needs its PIN',
  'equipment 12': 'the SIM needs its PUK',
  'equipment 13': 'failure of the SIM',
  'equipment 14': 'SIM busy',
  'equipment 16': 'wrong PIN',
  'equipment 30': 'no network',
  'equipment 32': 'emergency calls only',
}

function describeFault(fault: AtFault): string {
  if (fault.by === 'silence') return 'The modem did not answer in time.'
  if (fault.by === 'line') return `The line to the modem was closed (${fault.reason}).`
  if (fault.by === 'words') return `The modem answered ${fault.words}.`
  const name = fault.by === 'sms' ? 'CMS' : 'CME'
  const cause = fault.by === 'sms' ? getSmsCause(fault.code) : undefined
  const meaning = cause?.meaning ?? meanings[`${fault.by} ${fault.code}`]
  const explanation = meaning === undefined ? '' : ` (${meaning})`
  return `The modem answered +${name} ERROR: ${fault.code}${explanation}.`
}
