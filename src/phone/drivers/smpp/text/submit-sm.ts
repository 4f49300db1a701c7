// Texts to submit_sm, and deliver_sm to texts.
//
// 1. `buildSubmitSms` divides a text into parts and encodes them in the account's alphabet.
// 2. deliver-sm.ts parses what the SMSC delivers: texts, parts of texts and receipts.
// 3. decode-text-octets.ts decodes the octets of a received text by its data_coding.

import { encodeSeptets, packSeptets } from '../../../../domain/sms/gsm-alphabet.js'
import {
  countFillBits,
  encodePartHeader,
  type PartPosition,
} from '../../../../domain/sms/part-header.js'
import { type SmsPart, splitIntoParts } from '../../../../domain/sms/sms-parts.js'
import { encodeUcs2 } from '../../../../domain/sms/ucs-2.js'
import type { MessageBody } from '../pdu/message-body.js'
import { type Tlv, tags } from '../pdu/pdu.js'
import { type SmppSettings, toDestinationAddress } from '../settings/smpp-settings.js'

export type SubmitContent = Pick<MessageBody, 'esmClass' | 'dataCoding' | 'shortMessage' | 'tlvs'>

export type ContentSettings = Pick<
  SmppSettings,
  'long' | 'alphabet' | 'dataCoding' | 'tlvs' | 'national'
> & { readonly flash?: boolean | undefined }

interface SubmitContents {
  readonly contents: readonly SubmitContent[]
  /** SMS parts over the air; one submit_sm may be sent as several. */
  readonly parts: number
}

/** Values of `data_coding` and `esm_class` (SMPP 3.4 sections 5.2.19 and 5.2.12). */
const ucs2Coding = 0x08
const udhIndicator = 0x40
/** Class 0 in a `data_coding` of 3GPP TS 23.038, or the display as a subunit of the phone. */
const flashFlag = 0x10
const displaySubunit = { tag: tags.dest_addr_subunit, value: Uint8Array.of(1) }

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
  if (first !== undefined && count > 1 && settings.long === 'payload') {
    return { contents: [buildWithPayload({ ...first, text }, settings)], parts: count }
  }
  const contents = parts.map((part, at) =>
    buildContent(part, settings, { reference, count, number: at + 1 }),
  )
  return { contents, parts: count }
}

export function toMessageBody(
  destination: string,
  { esmClass, dataCoding, shortMessage, tlvs }: SubmitContent,
  settings: SmppSettings,
): MessageBody {
  return {
    serviceType: settings['field.service_type'],
    source: settings.source,
    destination: toDestinationAddress(destination, settings.destination),
    esmClass,
    protocolId: settings['field.protocol_id'],
    priorityFlag: settings['field.priority_flag'],
    scheduleDeliveryTime: settings['field.schedule_delivery_time'],
    validityPeriod: settings['validity-period'],
    registeredDelivery: settings.reports ? 1 : 0,
    dataCoding,
    shortMessage,
    tlvs,
  }
}

/** A text that the account's alphabet lacks a character for is UCS-2. */
function splitForAlphabet(
  text: string,
  { alphabet, long, national }: ContentSettings,
): readonly SmsPart[] {
  const hasLongReference = long === 'udh16'
  if (alphabet === 'gsm' || alphabet === 'gsm-packed') {
    return splitIntoParts(text, { hasLongReference, national })
  }
  const lacks = alphabet === 'latin-1' ? /[^\n\f\r\x20-\xff]/ : /[^\n\f\r\x20-\x7e]/
  const isUcs2 = lacks.test(text)
  return splitIntoParts(text, { hasLongReference, alphabet: isUcs2 ? 'UCS-2' : undefined })
}

function buildContent(
  part: SmsPart,
  settings: ContentSettings,
  position: PartPosition,
): SubmitContent {
  const { long } = settings
  const tlvs = listTlvs(part, settings)
  const hasSar = long === 'sar' && position.count > 1
  const header = hasSar ? noOctets : encodePartHeader(position, part.tables, long === 'udh16')
  const octets = encodeText(part, settings, header.length)
  return {
    esmClass: header.length > 0 ? udhIndicator : 0,
    dataCoding: getDataCoding(part, settings),
    shortMessage: header.length > 0 ? Buffer.concat([header, octets]) : octets,
    tlvs: hasSar ? [...buildSarTlvs(position), ...tlvs] : tlvs,
  }
}

function buildWithPayload(whole: SmsPart, settings: ContentSettings): SubmitContent {
  const value = encodeText(whole, settings, 0)
  const tlvs = [{ tag: tags.message_payload, value }, ...listTlvs(whole, settings)]
  const dataCoding = getDataCoding(whole, settings)
  return { esmClass: 0, dataCoding, shortMessage: noOctets, tlvs }
}

function buildSarTlvs({ reference, count, number }: PartPosition): readonly Tlv[] {
  return [
    { tag: tags.sar_msg_ref_num, value: Uint8Array.of(reference >> 8, reference) },
    { tag: tags.sar_total_segments, value: Uint8Array.of(count) },
    { tag: tags.sar_segment_seqnum, value: Uint8Array.of(number) },
  ]
}

function getDataCoding(part: SmsPart, settings: ContentSettings): number {
  const coding = part.alphabet === 'GSM-7' ? settings.dataCoding : ucs2Coding
  return settings.flash === true && hasClasses(part, settings) ? coding | flashFlag : coding
}

/** Whether the `data_coding` of a part can have a message class. */
function hasClasses({ alphabet }: SmsPart, { dataCoding }: ContentSettings): boolean {
  return alphabet === 'UCS-2' || dataCoding === 0
}

function listTlvs(part: SmsPart, settings: ContentSettings): readonly Tlv[] {
  const needsSubunit = settings.flash === true && !hasClasses(part, settings)
  return needsSubunit ? [displaySubunit, ...settings.tlvs] : settings.tlvs
}

/** Septets take one octet each, unless the account's SMSC has them packed. */
function encodeText(
  { alphabet, text, tables }: SmsPart,
  settings: ContentSettings,
  headerLength: number,
): Uint8Array {
  if (alphabet === 'UCS-2') return encodeUcs2(text)
  if (settings.alphabet === 'latin-1' || settings.alphabet === 'ascii') {
    return Buffer.from(text, 'latin1')
  }
  const septets = encodeSeptets(text, tables)
  if (settings.alphabet === 'gsm') return septets
  return packText(septets, countFillBits(headerLength))
}

/** Seven spare bits would be read as `@`, so they hold CR (3GPP TS 23.038 section 6.1.2.3.1). */
function packText(septets: Uint8Array, fill: number): Uint8Array {
  const isPadded = (septets.length * 7 + fill) % 8 === 1
  return packSeptets(isPadded ? Uint8Array.of(...septets, carriageReturn) : septets, fill)
}
