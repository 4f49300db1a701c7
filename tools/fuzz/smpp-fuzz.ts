// The fuzz test of the SMPP codec.
//
// 1. Streams of valid PDUs are generated from the seed, and each is mutated in 50 ways.
// 2. The reader gets them in pieces of random sizes. It must return complete PDUs in order, or
//    refuse an impossible length.
// 3. Each PDU is decoded as every kind of body, and as a received text in each alphabet. Only
//    `PduError` may be thrown. A body that was not mutated must be decoded to what was encoded.
// 4. The memory of the process may grow only up to a limit.
import {
  type MessageBody,
  readDataBody,
  readMessageBody,
  readMessageId,
  writeMessageBody,
} from '../../src/phone/drivers/smpp/pdu/message-body.js'
import { type Pdu, PduError, tags } from '../../src/phone/drivers/smpp/pdu/pdu.js'
import { PduReader } from '../../src/phone/drivers/smpp/pdu/pdu-reader.js'
import { PduWriter } from '../../src/phone/drivers/smpp/pdu/pdu-writer.js'
import { parseDeliverSm } from '../../src/phone/drivers/smpp/text/deliver-sm.js'
import { createSeededRandom } from '../../src/util/crypto/seeded-random.js'
import { createGrowthMeter } from './memory-growth.js'

interface SmppFuzzOptions {
  readonly pdus: number
  readonly seed: number
  readonly onProgress?: (result: SmppFuzzResult) => void
}

interface SmppFuzzResult {
  pdus: number
  /** Mutated PDUs that were decoded as texts or receipts. */
  decoded: number
  /** Largest growth of the process in MiB. */
  memory: number
}

/** PDUs of a stream, and how often a stream is mutated. */
const streamLength = 20
const mutations = 50
const alphabets = ['gsm', 'gsm-packed', 'latin-1', 'ascii'] as const

/** Tests until so many PDUs were read. Throws with the number of the stream that is wrong. */
export function fuzzSmpp({ pdus, seed, onProgress }: SmppFuzzOptions): SmppFuzzResult {
  const result = { pdus: 0, decoded: 0, memory: 0 }
  const measureGrowth = createGrowthMeter(512)
  for (let stream = 0; result.pdus < pdus; stream += 1) {
    try {
      checkStream(createSeededRandom(seed * 1_000_003 + stream), result)
    } catch (cause) {
      throw new Error(`Seed ${seed}, stream ${stream} failed.`, { cause })
    }
    if (stream % 100 !== 0) continue
    result.memory = measureGrowth()
    onProgress?.(result)
  }
  return result
}

function checkStream(random: () => number, result: SmppFuzzResult): void {
  const bodies = Array.from({ length: streamLength }, () => createBody(random))
  const writer = new PduWriter()
  for (const [sequence, body] of bodies.entries()) {
    writer.begin(pick(random, [4, 5, 0x103, 0x80000004, 0x80000000]), 0, sequence)
    writeMessageBody(writer, body)
    writer.end()
  }
  const octets = writer.take()
  readInPieces(random, octets, pdu => checkSame(readMessageBody(pdu.body), bodies[pdu.sequence]))
  for (let round = 0; round < mutations; round += 1) {
    checkMutated(random, Buffer.from(octets), result)
  }
}

function checkMutated(random: () => number, octets: Buffer, result: SmppFuzzResult): void {
  mutate(random, octets)
  let read = 0
  const isWhole = readInPieces(random, octets, pdu => {
    read += 16 + pdu.body.length
    if (decodeMutated(random, pdu)) result.decoded += 1
  })
  if (read > octets.length) throw new Error(`${read} of ${octets.length} octets were read.`)
  if (isWhole && octets.length - read > 0x11000) throw new Error('Complete PDUs were not read.')
  result.pdus += streamLength
}

/** Reads octets in pieces; false if the reader refuses a length. */
function readInPieces(random: () => number, octets: Buffer, onPdu: (pdu: Pdu) => void): boolean {
  const reader = new PduReader()
  const largest = pick(random, [3, 50, 700, 100_000])
  try {
    for (let at = 0; at < octets.length; ) {
      const end = at + 1 + Math.floor(random() * largest)
      reader.read(octets.subarray(at, end), onPdu)
      at = end
    }
    return true
  } catch (error) {
    if (!(error instanceof PduError)) throw error
    return false
  }
}

function decodeMutated(random: () => number, pdu: Pdu): boolean {
  readMessageId(pdu.body)
  tryDecode(() => readDataBody(pdu.body))
  const alphabet = pick(random, alphabets)
  return tryDecode(() => parseDeliverSm(pdu, { alphabet, dataCoding: pick(random, [0, 1, 3]) }))
}

function tryDecode(decode: () => unknown): boolean {
  try {
    decode()
    return true
  } catch (error) {
    if (error instanceof PduError) return false
    throw error
  }
}

function checkSame(read: MessageBody, written: MessageBody | undefined): void {
  if (toText(read) !== toText(written)) {
    throw new Error(`${toText(read)} was read, but ${toText(written)} written.`)
  }
}

function toText(body: MessageBody | undefined): string {
  return JSON.stringify(body, (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
  ).replace(/\{"type":"Buffer","data":\[([\d,]*)\]\}/g, (_, list: string) =>
    JSON.stringify(Buffer.from(list === '' ? [] : list.split(',').map(Number)).toString('hex')),
  )
}

function mutate(random: () => number, octets: Buffer): void {
  const count = Math.floor(random() * 40)
  for (let index = 0; index < count; index += 1) {
    const at = Math.floor(random() * octets.length)
    const bit = 1 << Math.floor(random() * 8)
    const values = [0, 0xff, 0x7f, Math.floor(random() * 256), (octets[at] ?? 0) ^ bit]
    octets[at] = pick(random, values)
  }
}

function createBody(random: () => number): MessageBody {
  const number = () => Math.floor(random() * 256)
  const octets = (max: number) => Buffer.from(Array.from({ length: random() * max }, number))
  const address = () => ({ ton: number() % 7, npi: number() % 19, address: `${number()}12025550` })
  const receipt = Buffer.from(`id:${number()} sub:001 done date:2611211201 stat:DELIVRD err:000`)
  const known = Object.values(tags)
  return {
    serviceType: pick(random, ['', 'CMT']),
    source: address(),
    destination: address(),
    esmClass: pick(random, [0, 0x40, 0x04, 0x44, number()]),
    protocolId: number(),
    priorityFlag: number(),
    scheduleDeliveryTime: '',
    validityPeriod: pick(random, ['', '000001000000000R']),
    registeredDelivery: number(),
    dataCoding: pick(random, [0, 1, 3, 5, 6, 8, 10, 14, 0xf1, number()]),
    shortMessage: random() < 0.3 ? receipt : octets(254),
    tlvs: Array.from({ length: random() * 4 }, () => ({
      tag: pick(random, [...known, number()]),
      value: octets(8),
    })),
  }
}

function pick<T>(random: () => number, values: readonly T[]): T {
  return values[Math.floor(random() * values.length)] as T
}
