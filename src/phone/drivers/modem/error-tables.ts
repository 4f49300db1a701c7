import type { DriverErrorKind } from '../../driver-port/driver.js'

/**
 * What an error means for a text: a kind of the driver port; `busy` (not sent, may be tried again
 * soon); or `again` (not sent: the SIM or the modem's settings are lost, so that the modem must be
 * prepared again). All but `unknown` are certain, also after the modem has the text.
 */
export type ErrorEffect = DriverErrorKind | 'busy' | 'again'

/** An error by its number; `meaning` has the words of the standard. */
export interface ErrorRow {
  readonly code: number
  readonly effect: ErrorEffect
  readonly meaning: string
}

type Row = readonly [code: number, effect: ErrorEffect, meaning: string]

/** RP-Cause of a mobile network (3GPP TS 24.011 section 8.2.5.4 and annex E). */
const networkCauses: readonly Row[] = [
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
const centreCauses: readonly Row[] = [
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
  [212, 'busy', 'SIM busy'],
  [213, 'retry', 'error of the SIM'],
  [255, 'retry', 'unspecified error'],
]

/** The modem's own errors about texts (3GPP TS 27.005 section 3.2.5). */
const smsErrorRows: readonly Row[] = [
  [300, 'unknown', 'ME failure'],
  [301, 'busy', 'SMS service of ME reserved'],
  [302, 'trouble', 'operation not allowed'],
  [303, 'trouble', 'operation not supported'],
  [304, 'retry', 'invalid PDU mode parameter'],
  // Only a modem in text mode has such parameters.
  [305, 'again', 'invalid text mode parameter'],
  [310, 'again', 'SIM not inserted'],
  [311, 'again', 'SIM PIN required'],
  [312, 'again', 'PH-SIM PIN required'],
  [313, 'again', 'SIM failure'],
  [314, 'busy', 'SIM busy'],
  [315, 'again', 'SIM wrong'],
  [316, 'again', 'SIM PUK required'],
  [317, 'again', 'SIM PIN2 required'],
  [318, 'again', 'SIM PUK2 required'],
  // The memory may have been for the copy of a text that was sent.
  [320, 'unknown', 'memory failure'],
  [321, 'unknown', 'invalid memory index'],
  [322, 'unknown', 'memory full'],
  [330, 'trouble', 'SMSC address unknown'],
  [331, 'trouble', 'no network service'],
  [332, 'unknown', 'network timeout'],
  [340, 'unknown', 'no +CNMA acknowledgement expected'],
  [500, 'unknown', 'unknown error'],
  // The makers' own numbers begin at 512; most makers agree on this one.
  [515, 'busy', 'the modem is busy'],
]

/** Errors of the modem (3GPP TS 27.007 sections 9.2.1 and 9.2.2). */
const equipmentErrorRows: readonly Row[] = [
  [0, 'unknown', 'phone failure'],
  [1, 'unknown', 'no connection to phone'],
  [2, 'busy', 'phone adaptor link reserved'],
  [3, 'trouble', 'operation not allowed'],
  [4, 'trouble', 'operation not supported'],
  [5, 'again', 'PH-SIM PIN required'],
  [6, 'again', 'PH-FSIM PIN required'],
  [7, 'again', 'PH-FSIM PUK required'],
  [10, 'again', 'SIM not inserted'],
  [11, 'again', 'SIM PIN required'],
  [12, 'again', 'SIM PUK required'],
  [13, 'again', 'SIM failure'],
  [14, 'busy', 'SIM busy'],
  [15, 'again', 'SIM wrong'],
  [16, 'again', 'incorrect password'],
  [17, 'again', 'SIM PIN2 required'],
  [18, 'again', 'SIM PUK2 required'],
  [20, 'unknown', 'memory full'],
  [21, 'retry', 'invalid index'],
  [22, 'retry', 'not found'],
  [23, 'unknown', 'memory failure'],
  [24, 'retry', 'text string too long'],
  [25, 'retry', 'invalid characters in text string'],
  [26, 'retry', 'dial string too long'],
  [27, 'retry', 'invalid characters in dial string'],
  [30, 'trouble', 'no network service'],
  [31, 'unknown', 'network timeout'],
  [32, 'trouble', 'network not allowed - emergency calls only'],
  [40, 'again', 'network personalization PIN required'],
  [41, 'again', 'network personalization PUK required'],
  [42, 'again', 'network subset personalization PIN required'],
  [43, 'again', 'network subset personalization PUK required'],
  [44, 'again', 'service provider personalization PIN required'],
  [45, 'again', 'service provider personalization PUK required'],
  [46, 'again', 'corporate personalization PIN required'],
  [47, 'again', 'corporate personalization PUK required'],
  [48, 'again', 'hidden key required'],
  [49, 'trouble', 'EAP method not supported'],
  [50, 'retry', 'incorrect parameters'],
  [51, 'trouble', 'command implemented but currently disabled'],
  [52, 'unknown', 'command aborted by user'],
  [53, 'trouble', 'not attached to network due to MT functionality restrictions'],
  [54, 'trouble', 'modem not allowed - MT restricted to emergency calls only'],
  [55, 'trouble', 'operation not allowed because of MT functionality restrictions'],
  [56, 'fail', 'fixed dial number only allowed - called number is not a fixed dial number'],
  [57, 'busy', 'temporarily out of service due to other MT usage'],
  [58, 'retry', 'language/alphabet not supported'],
  [59, 'unknown', 'unexpected data value'],
  [60, 'unknown', 'system failure'],
  [61, 'unknown', 'data missing'],
  [62, 'trouble', 'call barred'],
  [63, 'unknown', 'message waiting indication subscription failure'],
  [100, 'unknown', 'unknown'],
  [103, 'trouble', 'illegal MS'],
  [106, 'trouble', 'illegal ME'],
  [107, 'trouble', 'GPRS services not allowed'],
  [108, 'trouble', 'GPRS services and non-GPRS services not allowed'],
  [111, 'trouble', 'PLMN not allowed'],
  [112, 'trouble', 'location area not allowed'],
  [113, 'trouble', 'roaming not allowed in this location area'],
  [114, 'trouble', 'GPRS services not allowed in this PLMN'],
  [115, 'trouble', 'no suitable cells in location area'],
  [122, 'trouble', 'congestion'],
  [126, 'busy', 'operation temporary not allowed'],
  [132, 'trouble', 'service option not supported'],
  [133, 'trouble', 'requested service option not subscribed'],
  [134, 'trouble', 'service option temporarily out of order'],
  [148, 'unknown', 'unspecified GPRS error'],
]

/** Codes of `+CMS ERROR`: 1 to 255 are causes of the network, the others errors of the modem. */
const smsErrors = indexRows([...networkCauses, ...centreCauses, ...smsErrorRows])
/** Codes of `+CME ERROR`. */
const equipmentErrors = indexRows(equipmentErrorRows)

function indexRows(rows: readonly Row[]): ReadonlyMap<number, ErrorRow> {
  return new Map(rows.map(([code, effect, meaning]) => [code, { code, effect, meaning }]))
}

/** Whether a code of `+CMS ERROR` is a cause that the network gave, and not the modem. */
export function isNetworkCause(code: number): boolean {
  return code >= 1 && code <= 255
}

/** The row of a `+CMS ERROR` (`sms`) or a `+CME ERROR` (`equipment`); undefined if unknown. */
export function findErrorRow(by: 'sms' | 'equipment', code: number): ErrorRow | undefined {
  const row = (by === 'sms' ? smsErrors : equipmentErrors).get(code)
  const isCause = by === 'sms' && isNetworkCause(code)
  return row ?? (isCause ? { code, effect: 'retry', meaning: 'not sent' } : undefined)
}

/** The code of an error that a modem wrote in words, such as `SIM not inserted` (AT+CMEE=2). */
export function findCodeByWords(by: 'sms' | 'equipment', words: string): number | undefined {
  const wanted = normalizeWords(words)
  const rows = by === 'sms' ? smsErrorRows : equipmentErrorRows
  return rows.find(([, , meaning]) => normalizeWords(meaning) === wanted)?.[0]
}

function normalizeWords(words: string): string {
  return words
    .toLowerCase()
    .replace(/\(u\)/g, '')
    .replace(/[^a-z0-9]/g, '')
}
