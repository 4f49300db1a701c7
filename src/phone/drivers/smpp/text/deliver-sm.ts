import {
  isPort,
  type PartPosition,
  parsePartHeader,
  parsePort,
} from '../../../../domain/sms/part-header.js'
import { findServiceUse } from '../../../../domain/sms/service-sms.js'
import { parseDateTime } from '../../../../domain/time/date-time.js'
import type { DeliveryReceipt, IncomingText } from '../../../driver-port/driver.js'
import { findTlv, type MessageBody, readDataBody, readMessageBody } from '../pdu/message-body.js'
import { commands, type Pdu, PduError, type SmppAddress, tags } from '../pdu/pdu.js'
import type { SmppSettings } from '../settings/smpp-settings.js'
import { decodeText, isBinary } from './decode-text-octets.js'

/** What a deliver_sm or data_sm brings: a text, or what has the form of a receipt. */
export interface Delivered {
  readonly text: SmppText
  /** What the SMS is if it is for the phone or the SIM. */
  readonly use?: string
  readonly receipt?: SmppReceipt
  /** Whether the SMSC says that the PDU is a receipt; otherwise it may be a person's text. */
  readonly isMarked: boolean
}

/** A received text, or a part of one (deliver_sm, SMPP 3.4 section 4.6.1). */
type SmppText = Omit<IncomingText, 'at'>

/** A receipt for a submitted part (SMPP 3.4 section 2.11 and appendix B). */
export interface SmppReceipt {
  /** message_id of the part's submit_sm_resp; empty if the SMSC does not name it. */
  readonly id: string
  readonly state: DeliveryReceipt['state']
  /** The SMSC's word for the state, such as `EXPIRED`; empty if it has none. */
  readonly word: string
  /** The network's error code; empty if it is unknown. */
  readonly error: string
  /** Milliseconds from `submit date` to `done date`: their time zone is unknown. */
  readonly elapsed: number | undefined
}

export type AlphabetSettings = Pick<SmppSettings, 'alphabet' | 'dataCoding'>

/** Bits of `esm_class` (SMPP 3.4 section 5.2.12). */
const receiptBits = 0x3c
const udhIndicator = 0x40

export function parseDeliverSm(pdu: Pdu, settings: AlphabetSettings): Delivered {
  const isData = pdu.command === commands.data_sm
  const body = isData ? readDataBody(pdu.body) : readMessageBody(pdu.body)
  const { octets, header } = readContent(body)
  const text = decodeText(octets, body.dataCoding, header, settings)
  const elements = header.subarray(1)
  const part = readSarPart(body) ?? parsePartHeader(elements)
  const port = readPort(body) ?? parsePort(elements)
  const use = findServiceUse({ ...body, elements, text, isWaiting: hasWaitingTlv(body) })
  const [from, to] = [formatAddress(body.source), formatAddress(body.destination)]
  const received = {
    ...{ from, text },
    ...(to === '' ? {} : { to }),
    ...(part && { part }),
    ...(isBinary(body.dataCoding, settings) ? { isData: true } : {}),
    ...(port === undefined ? {} : { port }),
  }
  const kind = body.esmClass & receiptBits
  const hasMark = kind === 0x04 || kind === 0x20
  const receipt = parseReceipt(body, octets, text)
  const { id, word } = receipt
  const isNamed = word !== '' && findTlv(body.tlvs, tags.receipted_message_id) !== undefined
  const isReceipt = hasMark ? id + word !== '' || octets.length === 0 : id !== '' && word !== ''
  return {
    ...{ text: received, isMarked: hasMark || isNamed },
    ...(isReceipt && { receipt }),
    ...(use === undefined || part !== undefined ? {} : { use }),
  }
}

function readPort({ tlvs }: MessageBody): number | undefined {
  const port = readNumber(findTlv(tlvs, tags.destination_port))
  return isPort(port) ? port : undefined
}

function hasWaitingTlv({ tlvs }: MessageBody): boolean {
  return findTlv(tlvs, tags.ms_msg_wait_facilities) !== undefined
}

/** TON 1 is an international number (SMPP 3.4 section 5.2.5); some SMSCs write others with it. */
function formatAddress({ address, ton }: SmppAddress): string {
  const digits = address.replace(/^00/, '')
  return ton === 1 && /^[1-9]\d{6}/.test(digits) ? `+${digits}` : address
}

function readContent(body: MessageBody): { octets: Uint8Array; header: Uint8Array } {
  const payload = findTlv(body.tlvs, tags.message_payload)
  const all = body.shortMessage.length > 0 || payload === undefined ? body.shortMessage : payload
  const length = (body.esmClass & udhIndicator) === 0 ? 0 : 1 + (all[0] ?? 0)
  if (length > all.length) throw new PduError('The header of a text is longer than the text.')
  return { octets: all.subarray(length), header: all.subarray(0, length) }
}

/** Values of `message_state` (SMPP 3.4 section 5.2.28) and the words of receipts (appendix B). */
const words = [
  ...['SCHEDUL', 'ENROUTE', 'DELIVRD', 'EXPIRED', 'DELETED', 'UNDELIV', 'ACCEPTD', 'UNKNOWN'],
  ...['REJECTD', 'SKIPPED'],
]
/** A receipt without a state says nothing final. */
const pendingWords = /^(|ENROUTE|ACCEPT.*|BUFF.*|SCHEDUL.*|QUEUED|PENDING|SENT|SUBMIT.*)$/

/** The form of a receipt's text is the SMSC's; its words are ASCII in any alphabet. */
function parseReceipt({ tlvs }: MessageBody, octets: Uint8Array, decoded: string): SmppReceipt {
  const texts = [Buffer.from(octets).toString('latin1'), decoded]
  const find = (field: RegExp) =>
    texts.map(text => field.exec(text)?.[1]).find(value => value !== undefined) ?? ''
  const [number] = findTlv(tlvs, tags.message_state) ?? []
  const stat = find(/\bstat:\s*(\w+)/i).toUpperCase()
  const word = words[number ?? (/^\d$/.test(stat) ? Number(stat) : -1)] ?? stat
  const id = findTlv(tlvs, tags.receipted_message_id) ?? new Uint8Array()
  return {
    id: Buffer.from(id).toString('latin1').replace(/\0.*/s, '') || find(/\bid:\s*(\S+)/i),
    state: getState(word),
    word,
    error: readNetworkError(tlvs) || find(/\berr:\s*(\w+)/i),
    elapsed: countElapsed(find(/\bsubmit date:\s*(\d+)/i), find(/\bdone date:\s*(\d+)/i)),
  }
}

/** Dates are `YYMMDDhhmm`, some with seconds. */
function countElapsed(submitted: string, done: string): number | undefined {
  const [start, end] = [submitted, done].map(parseReceiptDate)
  if (start === undefined || end === undefined || end < start) return undefined
  return end - start
}

function parseReceiptDate(digits: string): number | undefined {
  const [, day = '', time = ''] = /^(\d{6})(\d{4}(?:\d\d)?)$/.exec(digits) ?? []
  const pairs = (text: string) => text.match(/\d\d/g) ?? []
  return parseDateTime(`20${pairs(day).join('-')} ${pairs(time.padEnd(6, '0')).join(':')}`)
}

function getState(word: string): SmppReceipt['state'] {
  if (/^DELIV(RD|ERD|ERED)$/.test(word)) return 'delivered'
  if (word === 'EXPIRED') return 'expired'
  return pendingWords.test(word) ? 'pending' : 'undelivered'
}

/** The network's error code (SMPP 3.4 section 5.3.2.31), without the octet of its network type. */
function readNetworkError(tlvs: MessageBody['tlvs']): string {
  const value = findTlv(tlvs, tags.network_error_code)
  if (value?.length !== 3) return ''
  return String(((value[1] ?? 0) << 8) | (value[2] ?? 0))
}

function readSarPart({ tlvs }: MessageBody): PartPosition | undefined {
  const count = readNumber(findTlv(tlvs, tags.sar_total_segments))
  const number = readNumber(findTlv(tlvs, tags.sar_segment_seqnum))
  if (count < 2 || number < 1 || number > count) return undefined
  return { reference: readNumber(findTlv(tlvs, tags.sar_msg_ref_num)) & 0xffff, count, number }
}

function readNumber(value: Uint8Array | undefined): number {
  return [...(value ?? [])].slice(0, 4).reduce((sum, octet) => sum * 256 + octet, 0)
}
