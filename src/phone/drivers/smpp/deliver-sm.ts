import type { Pdu } from 'smpp'
import { type PartPosition, parsePartHeader } from '../../../domain/sms/sms-parts.js'

/** A received text, or a part of one (deliver_sm, SMPP 3.4 section 4.6.1). */
interface SmppText {
  readonly kind: 'text'
  readonly from: string
  readonly text: string
  readonly part?: PartPosition
}

/** A receipt for a submitted part (SMPP 3.4 section 2.11 and appendix B). */
interface SmppReceipt {
  readonly kind: 'receipt'
  /** message_id of the part's submit_sm_resp; empty if the SMSC does not name it. */
  readonly id: string
  readonly from: string
  readonly state: 'delivered' | 'trying' | 'failed'
}

/** Bits of `esm_class` for receipts and notifications (SMPP 3.4 section 5.2.12). */
const receiptBits = 0x3c

export function parseDeliverSm(pdu: Pdu): SmppText | SmppReceipt {
  const from = readAddress(pdu)
  const { text, header } = readContent(pdu)
  const kind = readNumber(pdu, 'esm_class') & receiptBits
  if (kind === 0x04 || kind === 0x20 || 'receipted_message_id' in pdu) {
    return parseReceipt(pdu, from, text)
  }
  const part = readSarPart(pdu) ?? parsePartHeader(Buffer.concat(header))
  return { kind: 'text', from, text, ...(part && { part }) }
}

/** TON 1 is an international number (SMPP 3.4 section 5.2.5). */
function readAddress(pdu: Pdu): string {
  const address = readString(pdu, 'source_addr')
  const international = readNumber(pdu, 'source_addr_ton') === 1 && /^\d/.test(address)
  return international ? `+${address}` : address
}

/** The package smpp has decoded the text by `data_coding` and split off the header. */
function readContent(pdu: Pdu): { text: string; header: readonly Buffer[] } {
  for (const field of [pdu.short_message, pdu.message_payload]) {
    if (typeof field !== 'object' || field === null || !('message' in field)) continue
    const { message } = field
    const header = 'udh' in field && Array.isArray(field.udh) ? field.udh.filter(isBuffer) : []
    const text = isBuffer(message) ? message.toString('latin1') : String(message)
    if (text !== '') return { text, header }
  }
  return { text: '', header: [] }
}

/** Values of `message_state` (SMPP 3.4 section 5.2.28) and the words of receipts (appendix B). */
const states: Readonly<Record<string, SmppReceipt['state']>> = {
  ...{ 0: 'trying', 1: 'trying', 2: 'delivered', 6: 'trying' },
  ...{ DELIVRD: 'delivered', ENROUTE: 'trying', ACCEPTD: 'trying', BUFFERED: 'trying' },
  ...{ BUFFRED: 'trying', SCHEDUL: 'trying', SCHEDULED: 'trying' },
}

function parseReceipt(pdu: Pdu, from: string, text: string): SmppReceipt {
  const [, written = ''] = /\bid:\s*(\S+)/i.exec(text) ?? []
  const [, word = ''] = /\bstat:\s*(\w+)/i.exec(text) ?? []
  const state = 'message_state' in pdu ? String(pdu.message_state) : word.toUpperCase()
  const id = readString(pdu, 'receipted_message_id') || written
  return { kind: 'receipt', id, from, state: states[state] ?? 'failed' }
}

function readSarPart(pdu: Pdu): SmppText['part'] {
  const count = readNumber(pdu, 'sar_total_segments')
  const number = readNumber(pdu, 'sar_segment_seqnum')
  if (count < 2 || number < 1 || number > count) return undefined
  return { reference: readNumber(pdu, 'sar_msg_ref_num'), count, number }
}

function readString(pdu: Pdu, field: string): string {
  const value = pdu[field]
  return typeof value === 'string' ? value : ''
}

function readNumber(pdu: Pdu, field: string): number {
  const value = pdu[field]
  return typeof value === 'number' ? value : 0
}

function isBuffer(value: unknown): value is Buffer {
  return Buffer.isBuffer(value)
}
