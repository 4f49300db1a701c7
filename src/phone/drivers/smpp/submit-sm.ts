import {
  encodePartHeader,
  encodeUcs2,
  type PartPosition,
  type SmsPart,
  splitIntoParts,
} from '../../../domain/sms/sms-parts.js'

export type LongTextMode = 'udh' | 'payload' | 'sar'

export type PduFields = Readonly<Record<string, unknown>>

interface SubmitSmBodies {
  readonly bodies: readonly PduFields[]
  /** SMS parts over the air; one submit_sm may be sent as several. */
  readonly parts: number
}

/**
 * SMPP `data_coding` (SMPP 3.4 section 5.2.19); the default alphabet is sent as GSM 7-bit in
 * octets.
 */
const codings = { 'GSM-7': 0x00, 'UCS-2': 0x08 } as const

const udhIndicator = 0x40

/**
 * Builds the submit_sm bodies of a text: one if it fits, otherwise parts with a header (3GPP TS
 * 23.040 section 9.2.3.24.1), parts with sar_ parameters, or one message_payload (SMPP 3.4 sections
 * 5.3.2.22 and 5.3.2.32). `reference`, 0 to 65535, is the same for all parts of a text.
 */
export function buildSubmitSms(
  text: string,
  long: LongTextMode,
  reference: number,
): SubmitSmBodies {
  const parts = splitIntoParts(text)
  const [first] = parts
  const count = parts.length
  if (first === undefined || count === 1) return { bodies: parts.map(buildBody), parts: 1 }
  if (long === 'payload') {
    const whole = { alphabet: first.alphabet, units: parts.flatMap(part => part.units) }
    const body = { data_coding: codings[whole.alphabet], message_payload: toOctets(whole) }
    return { bodies: [body], parts: count }
  }
  const build = long === 'udh' ? buildBodyWithHeader : buildBodyWithSar
  return {
    bodies: parts.map((part, at) => build(part, { reference, count, number: at + 1 })),
    parts: count,
  }
}

function buildBody(part: SmsPart): PduFields {
  return { data_coding: codings[part.alphabet], short_message: toOctets(part) }
}

function buildBodyWithHeader(part: SmsPart, position: PartPosition): PduFields {
  const header = Buffer.from(encodePartHeader(position))
  return {
    ...buildBody(part),
    esm_class: udhIndicator,
    short_message: Buffer.concat([header, toOctets(part)]),
  }
}

function buildBodyWithSar(part: SmsPart, { reference, count, number }: PartPosition): PduFields {
  return {
    ...buildBody(part),
    sar_msg_ref_num: reference & 0xffff,
    sar_total_segments: count,
    sar_segment_seqnum: number,
  }
}

/** Septets of a submit_sm are not packed: each takes one octet. */
function toOctets({ alphabet, units }: SmsPart): Buffer {
  if (alphabet === 'GSM-7') return Buffer.from(units)
  return Buffer.from(encodeUcs2(units))
}
