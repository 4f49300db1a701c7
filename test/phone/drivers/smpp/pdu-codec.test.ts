import { type Pdu as PackagePdu, PDU } from 'smpp'
import { describe, expect, it } from 'vitest'
import {
  type MessageBody,
  readMessageBody,
  writeMessageBody,
} from '../../../../src/phone/drivers/smpp/pdu/message-body.js'
import { commands, type Pdu, PduError } from '../../../../src/phone/drivers/smpp/pdu/pdu.js'
import { PduReader } from '../../../../src/phone/drivers/smpp/pdu/pdu-reader.js'
import { PduWriter } from '../../../../src/phone/drivers/smpp/pdu/pdu-writer.js'

const body: MessageBody = {
  serviceType: 'CMT',
  source: { ton: 5, npi: 0, address: 'Acme' },
  destination: { ton: 1, npi: 1, address: '12025550123' },
  esmClass: 0x40,
  protocolId: 1,
  priorityFlag: 2,
  scheduleDeliveryTime: '000000010000000R',
  validityPeriod: '000001000000000R',
  registeredDelivery: 1,
  dataCoding: 8,
  shortMessage: Buffer.from('050003010201004f', 'hex'),
  tlvs: [{ tag: 0x20c, value: Buffer.of(1, 2) }],
}
const packageFields = {
  service_type: 'CMT',
  ...{ source_addr_ton: 5, source_addr_npi: 0, source_addr: 'Acme' },
  ...{ dest_addr_ton: 1, dest_addr_npi: 1, destination_addr: '12025550123' },
  ...{ esm_class: 0x40, protocol_id: 1, priority_flag: 2, registered_delivery: 1, data_coding: 8 },
  ...{ schedule_delivery_time: '000000010000000R', validity_period: '000001000000000R' },
  short_message: Buffer.from(body.shortMessage),
  sar_msg_ref_num: 0x0102,
  sequence_number: 7,
}

function encode(): Buffer {
  const writer = new PduWriter()
  writer.begin(commands.submit_sm, 0, 7)
  writeMessageBody(writer, body)
  writer.end()
  return writer.take()
}

function read(...chunks: Buffer[]): Pdu[] {
  const reader = new PduReader()
  const all: Pdu[] = []
  for (const chunk of chunks) reader.read(chunk, pdu => all.push(pdu))
  return all
}

describe('the codec', () => {
  it('encodes the same octets as the package smpp', () => {
    const other: PackagePdu = new PDU('submit_sm', packageFields)
    expect(encode().toString('hex')).toBe(other.toBuffer().toString('hex'))
  })

  it('decodes what the package smpp encodes', () => {
    const [pdu] = read(new PDU('submit_sm', packageFields).toBuffer())
    expect(pdu).toMatchObject({ command: commands.submit_sm, status: 0, sequence: 7 })
    expect(readMessageBody(pdu?.body ?? Buffer.alloc(0))).toEqual(body)
  })

  it('reads PDUs that are cut anywhere', () => {
    const whole = Buffer.concat([encode(), encode(), encode()])
    for (let cut = 0; cut <= whole.length; cut += 1) {
      const pdus = read(whole.subarray(0, cut), whole.subarray(cut))
      expect(pdus.map(each => each.body.length)).toEqual(Array(3).fill(whole.length / 3 - 16))
    }
  })

  it.each([0, 15, 0x11001, 0xffffffff])('refuses a PDU of %i octets', length => {
    const octets = Buffer.alloc(16)
    octets.writeUInt32BE(length)
    expect(() => read(octets)).toThrow(PduError)
    expect(() => read(octets.subarray(0, 2), octets.subarray(2))).toThrow(PduError)
  })

  it('ignores an optional parameter that is not complete', () => {
    const octets = encode().subarray(16)
    expect(readMessageBody(octets.subarray(0, -1)).tlvs).toEqual([])
    expect(() => readMessageBody(octets.subarray(0, 60))).toThrow(PduError)
  })
})
