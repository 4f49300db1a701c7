import type { DriverErrorKind } from '../../../driver-port/driver.js'

interface StatusInfo {
  readonly name: string
  readonly words: string
  readonly kind: DriverErrorKind
}

/**
 * Values of SMPP's `command_status` that can answer a bind or submit_sm (SMPP 3.4 section 5.1.3,
 * SMPP 5.0 section 4.7.6). Any other one, such as those of vendors, is a refusal, and may pass.
 */
const statuses = new Map<number, StatusInfo>([
  // In a generic_nack, which contradicts itself.
  defineStatus(0x00, 'ROK', 'no error', 'unknown'),
  defineStatus(0x01, 'RINVMSGLEN', 'invalid message length', 'fail'),
  defineStatus(0x02, 'RINVCMDLEN', 'invalid command length', 'fail'),
  defineStatus(0x03, 'RINVCMDID', 'unknown command', 'trouble'),
  defineStatus(0x04, 'RINVBNDSTS', 'not bound for this command', 'trouble'),
  defineStatus(0x05, 'RALYBND', 'already bound elsewhere', 'trouble'),
  defineStatus(0x06, 'RINVPRTFLG', 'invalid priority; check field.priority_flag', 'trouble'),
  defineStatus(0x07, 'RINVREGDLVFLG', 'receipts not accepted; check reports', 'trouble'),
  defineStatus(0x08, 'RSYSERR', 'system error', 'retry'),
  defineStatus(
    0x0a,
    'RINVSRCADR',
    'source address not accepted; check the option source',
    'trouble',
  ),
  defineStatus(0x0b, 'RINVDSTADR', 'invalid destination', 'fail'),
  defineStatus(0x0d, 'RBINDFAIL', 'bind failed', 'trouble'),
  defineStatus(0x0e, 'RINVPASWD', 'wrong password', 'trouble'),
  defineStatus(0x0f, 'RINVSYSID', 'unknown system-id', 'trouble'),
  defineStatus(0x14, 'RMSGQFUL', 'the queue of this number is full', 'retry'),
  defineStatus(0x15, 'RINVSERTYP', 'invalid service type', 'trouble'),
  defineStatus(
    0x43,
    'RINVESMCLASS',
    'esm_class not accepted; try another value of the option long',
    'fail',
  ),
  defineStatus(0x45, 'RSUBMITFAIL', 'submit failed', 'retry'),
  defineStatus(0x48, 'RINVSRCTON', 'invalid TON of the source; check source-ton', 'trouble'),
  defineStatus(0x49, 'RINVSRCNPI', 'invalid NPI of the source; check source-npi', 'trouble'),
  defineStatus(0x50, 'RINVDSTTON', 'invalid TON of the destination', 'fail'),
  defineStatus(0x51, 'RINVDSTNPI', 'invalid NPI of the destination', 'fail'),
  defineStatus(0x53, 'RINVSYSTYP', 'invalid system-type', 'trouble'),
  defineStatus(0x54, 'RINVREPFLAG', 'invalid replace_if_present', 'fail'),
  defineStatus(0x58, 'RTHROTTLED', 'too many messages', 'trouble'),
  defineStatus(0x61, 'RINVSCHED', 'invalid time; check field.schedule_delivery_time', 'trouble'),
  defineStatus(0x62, 'RINVEXPIRY', 'invalid time; check validity-period', 'trouble'),
  defineStatus(0x63, 'RINVDFTMSGID', 'invalid sm_default_msg_id', 'fail'),
  defineStatus(0x64, 'RX_T_APPN', 'temporary error', 'retry'),
  defineStatus(0x65, 'RX_P_APPN', 'permanent error', 'fail'),
  defineStatus(0x66, 'RX_R_APPN', 'rejected', 'fail'),
  defineStatus(0xc0, 'RINVTLVSTREAM', 'optional parameters not accepted', 'fail'),
  defineStatus(0xc1, 'RTLVNOTALLWD', 'optional parameter not allowed', 'fail'),
  defineStatus(0xc2, 'RINVPARLEN', 'invalid length of a parameter', 'fail'),
  defineStatus(0xc3, 'RMISSINGTLV', 'an optional parameter is missing', 'fail'),
  defineStatus(0xc4, 'RINVTLVVAL', 'optional parameter not accepted', 'fail'),
  defineStatus(0xfe, 'RDELIVERYFAILURE', 'not delivered', 'fail'),
  defineStatus(0xff, 'RUNKNOWNERR', 'unknown error', 'unknown'),
  defineStatus(0x100, 'RSERTYPUNAUTH', 'the account may not send texts', 'trouble'),
  defineStatus(0x101, 'RPROHIBITED', 'prohibited', 'fail'),
  defineStatus(0x102, 'RSERTYPUNAVAIL', 'the service is not available', 'trouble'),
  defineStatus(0x103, 'RSERTYPDENIED', 'the account may not use the service type', 'trouble'),
  defineStatus(0x104, 'RINVDCS', 'data_coding not accepted', 'fail'),
])

export const responseStatuses = {
  unknownCommand: 0x03,
  /** ESME_RX_T_APPN: the SMSC should deliver the text again. */
  temporaryError: 0x64,
  /** ESME_RX_P_APPN: the SMSC should not deliver the PDU again. */
  permanentError: 0x65,
} as const

export function getStatusKind(code: number): DriverErrorKind {
  return statuses.get(code)?.kind ?? 'retry'
}

/** Describes an SMPP `command_status`, such as `ESME_RTHROTTLED, too many messages`. */
export function describeStatus(code: number): string {
  const known = statuses.get(code)
  if (known !== undefined) return `ESME_${known.name}, ${known.words}`
  return `status 0x${code.toString(16).padStart(8, '0')}`
}

/** The account sends too fast (`ESME_RTHROTTLED`). */
export function isThrottling(code: number): boolean {
  return code === 0x58
}

/** A later part of a text may be accepted in a moment. */
export function isTemporary(code: number): boolean {
  return isThrottling(code) || code === 0x14
}

export function isCredentialError(code: number): boolean {
  return code === 0x0d || code === 0x0e || code === 0x0f
}

export function isUnbound(code: number): boolean {
  return code === 0x04
}

function defineStatus(
  code: number,
  name: string,
  words: string,
  kind: DriverErrorKind,
): readonly [number, StatusInfo] {
  return [code, { name, words, kind }]
}
