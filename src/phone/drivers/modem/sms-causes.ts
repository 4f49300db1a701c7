import type { DriverErrorKind } from '../../driver-port/driver.js'

interface SmsCause {
  readonly kind: DriverErrorKind
  readonly meaning: string
}

type CauseRow = readonly [code: number, kind: DriverErrorKind, meaning: string]

/** RP-Cause of a mobile network (3GPP TS 24.011 section 8.2.5.4 and annex E). */
const networkCauses: readonly CauseRow[] = [
  [1, 'fail', 'unassigned number'],
  [8, 'trouble', 'barred by the operator'],
  [10, 'trouble', 'call barred'],
  [21, 'retry', 'rejected by the network'],
  [22, 'retry', 'memory full'],
  [27, 'retry', 'destination out of service'],
  [28, 'fail', 'unidentified subscriber'],
  [29, 'retry', 'facility rejected'],
  [30, 'fail', 'unknown subscriber'],
  [38, 'trouble', 'network out of order'],
  [41, 'trouble', 'temporary failure of the network'],
  [42, 'trouble', 'network congested'],
  [47, 'trouble', 'no resources'],
  [50, 'trouble', 'the SIM has no subscription to texts'],
  [69, 'retry', 'not supported by the network'],
  [81, 'retry', 'invalid reference'],
  [95, 'fail', 'invalid message'],
  [96, 'fail', 'invalid mandatory information'],
  [97, 'fail', 'message type not supported'],
  [98, 'retry', 'message not expected in this state'],
  [99, 'fail', 'information element not supported'],
  [111, 'retry', 'protocol error'],
  [127, 'retry', 'unspecified interworking error'],
]

/** TP-Failure-Cause of a service centre (3GPP TS 23.040 section 9.2.3.22). */
const centreCauses: readonly CauseRow[] = [
  [128, 'fail', 'telematic interworking not supported'],
  [129, 'fail', 'type 0 not supported'],
  [130, 'fail', 'the text cannot be replaced'],
  [143, 'fail', 'invalid protocol identifier'],
  [144, 'fail', 'alphabet not supported'],
  [145, 'fail', 'message class not supported'],
  [159, 'fail', 'invalid data coding scheme'],
  [160, 'fail', 'command not possible'],
  [161, 'fail', 'command not supported'],
  [175, 'fail', 'invalid command'],
  [176, 'fail', 'PDU not supported'],
  [192, 'trouble', 'service centre busy'],
  [193, 'trouble', 'no subscription at the service centre'],
  [194, 'trouble', 'failure of the service centre'],
  [195, 'fail', 'invalid destination'],
  [196, 'fail', 'destination barred'],
  // The service centre has accepted the same text before.
  [197, 'unknown', 'duplicate text'],
  [198, 'fail', 'validity period format not supported'],
  [199, 'fail', 'validity period not supported'],
  [208, 'trouble', 'the memory of the SIM is full'],
  [209, 'trouble', 'the SIM has no memory for texts'],
  [210, 'retry', 'error in the modem'],
  [211, 'trouble', 'memory full'],
  [212, 'trouble', 'SIM busy'],
  [213, 'retry', 'error of the SIM'],
  [255, 'retry', 'unspecified error'],
]

const causes = new Map<number, SmsCause>(
  [...networkCauses, ...centreCauses].map(([code, kind, meaning]) => [code, { kind, meaning }]),
)

/**
 * The network's own cause in a `+CMS ERROR`: 1 to 127 (3GPP TS 24.011) or 128 to 255 (TS 23.040).
 * Undefined for the other codes, which are errors of the modem.
 */
export function getSmsCause(code: number): SmsCause | undefined {
  if (code < 1 || code > 255) return undefined
  return causes.get(code) ?? { kind: 'retry', meaning: 'not sent' }
}
