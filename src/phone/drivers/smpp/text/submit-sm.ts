// Texts to submit_sm, and deliver_sm to texts.
//
// 1. `buildSubmitSms` divides a text into parts and encodes them in the account's alphabet.
// 2. deliver-sm.ts parses what the SMSC delivers: texts, parts of texts and receipts.
// 3. decode-text-octets.ts decodes the octets of a received text by its data_coding.

import { fromSeptets, packSeptets } from '../../../../domain/sms/gsm-alphabet.js'
import {
  encodeLongPartHeader,
  encodePartHeader,
  encodeUcs2,
  type PartPosition,
  type SmsPart,
  splitIntoParts,
} from '../../../../domain/sms/sms-parts.js'
import type { MessageBody } from '../pdu/message-body.js'
import { type Tlv, tags } from '../pdu/pdu.js'
import type { MessageSettings } from '../settings/message-options.js'

/** The fields of a submit_sm that hold the text, or a part of it. */
export type SubmitContent = Pick<MessageBody, 'esmClass' | 'dataCoding' | 'shortMessage' | 'tlvs'>

export type ContentSettings = Pick<MessageSettings, 'long' | 'alphabet' | 'dataCoding' | 'tlvs'>

interface SubmitContents {
  readonly contents: readonly SubmitContent[]
  /** SMS parts over the air; one submit_sm may be sent as several. */
  readonly parts: number
}

/** Values of `data_coding` and `esm_class` (SMPP 3.4 sections 5.2.19 and 5.2.12). */
const ucs2Coding = 0x08
const udhIndicator = 0x40

const carriageReturn = 0x0d
const noOctets = new Uint8Array()

/**
 * Builds the contents of the submit_sm of a text: one if it fits, otherwise parts with a header
 * (3GPP TS 23.040 sections 9.2.3.24.1 and 9.2.3.24.8), parts with sar_ parameters, or one
 * message_payload (SMPP 3.4 sections 5.3.2.22 and 5.3.2.32). `reference`, 0 to 65535, is the same
 * for all parts of a text.
 */
export function buildSubmitSms(
  text: string,
  settings: ContentSettings,
  reference: number,
): SubmitContents {
  const parts = splitForAlphabet(text, settings)
  const [first] = parts
  const count = parts.length
  if (first === undefined || count === 1) {
    return { contents: parts.map(part => buildContent(part, settings)), parts: 1 }
  }
  if (settings.long === 'payload') {
    const whole = { alphabet: first.alphabet, units: parts.flatMap(part => part.units) }
    const value = encodeUnits(whole, settings, 0)
    const tlvs = [{ tag: tags.message_payload, value }, ...settings.tlvs]
    const content = { ...buildContent(whole, settings, tlvs), shortMessage: noOctets }
    return { contents: [content], parts: count }
  }
  const build = settings.long === 'sar' ? buildWithSar : buildWithHeader
  const contents = parts.map((part, at) =>
    build(part, settings, { reference, count, number: at + 1 }),
  )
  return { contents, parts: count }
}

/** A text that the account's alphabet lacks a character for is UCS-2. */
function splitForAlphabet(text: string, { alphabet, long }: ContentSettings): readonly SmsPart[] {
  const hasLongReference = long === 'udh16'
  const lacks = alphabet === 'latin-1' ? /[^\n\f\r\x20-\xff]/ : /[^\n\f\r\x20-\x7e]/
  const isUcs2 = (alphabet === 'latin-1' || alphabet === 'ascii') && lacks.test(text)
  return splitIntoParts(text, { hasLongReference, alphabet: isUcs2 ? 'UCS-2' : undefined })
}

function buildContent(
  part: SmsPart,
  settings: ContentSettings,
  tlvs: readonly Tlv[] = settings.tlvs,
): SubmitContent {
  const dataCoding = part.alphabet === 'GSM-7' ? settings.dataCoding : ucs2Coding
  return { esmClass: 0, dataCoding, shortMessage: encodeUnits(part, settings, 0), tlvs }
}

function buildWithHeader(
  part: SmsPart,
  settings: ContentSettings,
  position: PartPosition,
): SubmitContent {
  const isLong = settings.long === 'udh16'
  const header = isLong ? encodeLongPartHeader(position) : encodePartHeader(position)
  const octets = encodeUnits(part, settings, header.length)
  const shortMessage = new Uint8Array(header.length + octets.length)
  shortMessage.set(header)
  shortMessage.set(octets, header.length)
  return { ...buildContent(part, settings), esmClass: udhIndicator, shortMessage }
}

function buildWithSar(
  part: SmsPart,
  settings: ContentSettings,
  { reference, count, number }: PartPosition,
): SubmitContent {
  const tlvs = [
    { tag: tags.sar_msg_ref_num, value: Uint8Array.of(reference >> 8, reference) },
    { tag: tags.sar_total_segments, value: Uint8Array.of(count) },
    { tag: tags.sar_segment_seqnum, value: Uint8Array.of(number) },
    ...settings.tlvs,
  ]
  return buildContent(part, settings, tlvs)
}

/** Septets take one octet each, unless the account's SMSC has them packed. */
function encodeUnits(
  { alphabet, units }: SmsPart,
  settings: ContentSettings,
  headerLength: number,
): Uint8Array {
  if (alphabet === 'UCS-2') return Uint8Array.from(encodeUcs2(units))
  if (settings.alphabet === 'gsm') return Uint8Array.from(units)
  if (settings.alphabet !== 'gsm-packed') return Buffer.from(fromSeptets(units), 'latin1')
  return packUnits(units, countFillBits(headerLength))
}

/** Bits between a header and the first septet (3GPP TS 23.040 section 9.2.3.24). */
export function countFillBits(headerLength: number): number {
  return (7 - ((headerLength * 8) % 7)) % 7
}

/** Seven spare bits would be read as `@`, so they hold CR (3GPP TS 23.038 section 6.1.2.3.1). */
function packUnits(units: readonly number[], fill: number): Uint8Array {
  const isPadded = (units.length * 7 + fill) % 8 === 1
  return packSeptets(isPadded ? [...units, carriageReturn] : units, fill)
}
