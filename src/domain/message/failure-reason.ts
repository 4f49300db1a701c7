// What the errors of drivers mean, in plain sentences. A driver's words contain a code of its
// network or SMS service; the relay stores the words, and commands and pages explain them.

type Family = 'cms' | 'cme' | 'smpp' | 'http' | 'android' | 'mm'

/** Where the codes of each family are in a driver's words. */
const patterns: Readonly<Record<Family, RegExp>> = {
  // 3GPP TS 24.011 8.2.5.4, TS 23.040 9.2.3.22 and TS 27.005 3.2.5.
  cms: /\+CMS ERROR: (\d+)/,
  // 3GPP TS 27.007 9.2.
  cme: /\+CME ERROR: (\d+)/,
  // SMPP 5.0 4.7.6.
  smpp: /\bESME_(R\w+)/,
  http: /\banswered (\d{3})\b/,
  // SmsManager of Android.
  android: /\bRESULT_(\w+)/,
  mm: /\bModemManager1\.Error\.Message\.(\w+)/,
}

type Row = readonly [sentence: string, codes: Readonly<Partial<Record<Family, string>>>]

const rows: readonly Row[] = [
  ['The number is not in service.', { cms: '1 28 30' }],
  ['The number is not valid.', { cms: '195', smpp: 'RINVDSTADR RINVDSTTON RINVDSTNPI' }],
  ['The recipient cannot be reached at the moment.', { cms: '27', smpp: 'RMSGQFUL' }],
  [
    'Texts to this number are not allowed.',
    {
      cms: '196',
      smpp: 'RPROHIBITED',
      android:
        'ERROR_FDN_CHECK_FAILURE ERROR_SHORT_CODE_NOT_ALLOWED ERROR_SHORT_CODE_NEVER_ALLOWED',
    },
  ],
  [
    'The operator does not let this SIM or account send texts.',
    { cms: '8 10 50 193', cme: '32', smpp: 'RSERTYPUNAUTH', mm: 'NotAllowed' },
  ],
  [
    'The network is busy or out of order.',
    { cms: '38 41 42 47 192 194 332', smpp: 'RSYSERR RX_T_APPN' },
  ],
  [
    'The network refused the text.',
    { cms: '21 29 69 111 127 255', smpp: 'RSUBMITFAIL RX_P_APPN RX_R_APPN RDELIVERYFAILURE' },
  ],
  [
    'The network does not accept a text of this form.',
    {
      cms: '95 96 97 99 128 129 130 143 144 145 159 160 161 175 176 198 199 304',
      smpp:
        'RINVMSGLEN RINVESMCLASS RINVDCS RINVTLVSTREAM RTLVNOTALLWD RINVTLVVAL' +
        ' RINVPARLEN RMISSINGTLV',
      android: 'ERROR_NULL_PDU',
      mm: 'InvalidPduParameter InvalidTextParameter',
    },
  ],
  ['The network has this text already.', { cms: '197' }],
  [
    'Too many texts were sent in a short time.',
    { smpp: 'RTHROTTLED', http: '429', android: 'ERROR_LIMIT_EXCEEDED' },
  ],
  ['The sender of the text is not allowed.', { smpp: 'RINVSRCADR RINVSRCTON RINVSRCNPI' }],
  [
    'The SMS service did not accept the user, the password or the key.',
    { http: '401 403', smpp: 'RBINDFAIL RINVPASWD RINVSYSID' },
  ],
  ['The account at the SMS service has no credit.', { http: '402' }],
  ['The SMS service refused the text.', { http: '400 422' }],
  ['The SMS service is out of order.', { http: '500 502 503 504' }],
  [
    'The modem has no network.',
    {
      cms: '331',
      cme: '30 31',
      android: 'ERROR_NO_SERVICE ERROR_RADIO_OFF RADIO_NOT_AVAILABLE',
      mm: 'NoNetwork',
    },
  ],
  ['The modem has no SIM.', { cms: '310', cme: '10', mm: 'SimNotInserted' }],
  [
    'The SIM needs its PIN or PUK.',
    {
      cms: '311 312 316 317 318',
      cme: '11 12 17 18',
      mm: 'SimPin SimPuk SimPin2 SimPuk2 PhSimPin',
    },
  ],
  ['The number of the service centre is missing.', { cms: '330', mm: 'SmscAddressUnknown' }],
  ['The memory for texts is full.', { cms: '22 208 209 211 322', cme: '20', mm: 'MemoryFull' }],
  [
    'The modem or its SIM failed.',
    { cms: '210 212 213 300 313 314 315 320', cme: '13 14 15', mm: 'SimFailure SimBusy SimWrong' },
  ],
  ['The modem gives no reason; often the SIM has no credit.', { cms: '500' }],
]

const sentences = new Map<string, string>(
  rows.flatMap(([sentence, codes]) =>
    Object.entries(codes).flatMap(([family, list]) =>
      list.split(' ').map(code => [`${family} ${code}`, sentence] as const),
    ),
  ),
)

export function explainFailure(error: string): string | undefined {
  for (const [family, pattern] of Object.entries(patterns)) {
    const code = pattern.exec(error)?.[1]
    const sentence = code === undefined ? undefined : sentences.get(`${family} ${code}`)
    if (sentence !== undefined) return sentence
  }
  return undefined
}

/** The reason within a sentence: the explanation, or the driver's own words. */
export function formatFailureReason(error: string): string {
  const sentence = explainFailure(error)
  if (sentence === undefined) return error
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '')
}

/** The explanation with the driver's own words behind it, or these words alone. */
export function describeFailure(error: string): string {
  const sentence = explainFailure(error)
  return sentence === undefined ? error : `${sentence} (${error})`
}
