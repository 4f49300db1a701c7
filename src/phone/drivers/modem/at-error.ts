import { DriverError, type DriverErrorKind } from '../../driver-port/driver.js'

/** Why an AT command failed (3GPP TS 27.007 section 9, TS 27.005 section 3.2.5). */
export type AtFault =
  | { readonly by: 'sms'; readonly code: number }
  | { readonly by: 'equipment'; readonly code: number }
  /** An AT error in words, or a plain ERROR. */
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

export function sendingError(error: AtError): DriverError {
  return new DriverError(getErrorKind(error), error.message, { cause: error })
}

function getErrorKind({ fault, isTextSent }: AtError): DriverErrorKind {
  if (fault.by === 'silence' || fault.by === 'line') return isTextSent ? 'unknown' : 'trouble'
  if (fault.by === 'words') return 'retry'
  if (fault.by === 'equipment') return equipmentTrouble.has(fault.code) ? 'trouble' : 'retry'
  return smsKinds.get(fault.code) ?? 'retry'
}

/** `+CMS ERROR` codes (3GPP TS 24.011 annex E, TS 23.040 section 9.2.3.22, TS 27.005 3.2.5). */
const smsKinds = new Map<number, DriverErrorKind>([
  ...mapCodes('fail', [1, 28, 29, 30, 50, 69, 195, 196, 304, 305]),
  ...mapCodes('trouble', [8, 10, 38, 41, 42, 47, 192, 193, 194, 208, 300, 301, 302, 303]),
  ...mapCodes('trouble', [310, 311, 312, 313, 314, 315, 316, 317, 318, 320, 321, 322]),
  ...mapCodes('trouble', [330, 331, 340]),
  // A timeout of the mobile network: it may have the text.
  ...mapCodes('unknown', [332]),
])

/** `+CME ERROR` codes of a modem, SIM or network that is not ready (3GPP TS 27.007 9.2). */
const equipmentTrouble = new Set([
  0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 30, 31, 32,
])

function mapCodes(kind: DriverErrorKind, codes: readonly number[]): [number, DriverErrorKind][] {
  return codes.map(code => [code, kind])
}

const meanings: Readonly<Record<string, string>> = {
  'sms 1': 'unassigned number',
  'sms 8': 'barred by the operator',
  'sms 10': 'call barred',
  'sms 21': 'rejected by the network',
  'sms 27': 'destination out of service',
  'sms 28': 'unidentified subscriber',
  'sms 30': 'unknown subscriber',
  'sms 38': 'network out of order',
  'sms 41': 'temporary failure of the network',
  'sms 42': 'network congested',
  'sms 47': 'no resources',
  'sms 50': 'the SIM has no subscription to texts',
  'sms 69': 'not supported by the network',
  'sms 192': 'service centre busy',
  'sms 193': 'no subscription at the service centre',
  'sms 194': 'failure of the service centre',
  'sms 195': 'invalid destination',
  'sms 196': 'destination barred',
  'sms 300': 'failure of the modem',
  'sms 304': 'invalid PDU',
  'sms 310': 'no SIM',
  'sms 311': 'the SIM needs its PIN',
  'sms 313': 'failure of the SIM',
  'sms 314': 'SIM busy',
  'sms 316': 'the SIM needs its PUK',
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
  const meaning = meanings[`${fault.by} ${fault.code}`]
  const explanation = meaning === undefined ? '' : ` (${meaning})`
  return `The modem answered +${name} ERROR: ${fault.code}${explanation}.`
}
