import {
  type MessageBody,
  readMessageBody,
  writeMessageBody,
} from '../../../src/phone/drivers/smpp/pdu/message-body.js'
import { commands } from '../../../src/phone/drivers/smpp/pdu/pdu.js'
import { PduReader } from '../../../src/phone/drivers/smpp/pdu/pdu-reader.js'
import { PduWriter } from '../../../src/phone/drivers/smpp/pdu/pdu-writer.js'
import { getMedian } from '../../report/median.js'
import type { Bench } from '../bench.js'
import type { Figure } from '../report/figure.js'

/** PDUs of one write to a connection. */
const batch = 100
const target = { least: 500_000 }

const body: MessageBody = {
  ...{ serviceType: '', esmClass: 0, protocolId: 0, priorityFlag: 0 },
  ...{ scheduleDeliveryTime: '', validityPeriod: '', registeredDelivery: 1, dataCoding: 0 },
  source: { ton: 5, npi: 0, address: 'Acme' },
  destination: { ton: 1, npi: 1, address: '12025550123' },
  shortMessage: Buffer.from('Your parcel arrives today between 2 and 4 pm. Reply STOP to opt out.'),
  tlvs: [],
}

/** Measures how many submit_sm the codec of the driver `smpp` encodes and decodes in a second. */
export async function measureSmppCodec({ options }: Bench): Promise<Figure[]> {
  const { rounds, seconds } = options
  const reader = new PduReader()
  const octets = encodeBatch(new PduWriter())
  const writer = new PduWriter()
  const encode = () => void encodeBatch(writer)
  const decode = () => reader.read(octets, pdu => void readMessageBody(pdu.body))
  const measure = (run: () => void) =>
    getMedian(Array.from({ length: rounds }, () => measureRate(run, seconds)))
  return [
    { row: 'submit_sm encoded', value: measure(encode), unit: '/s', target },
    { row: 'submit_sm decoded', value: measure(decode), unit: '/s', target },
  ]
}

function encodeBatch(writer: PduWriter): Buffer {
  for (let sequence = 1; sequence <= batch; sequence += 1) {
    writer.begin(commands.submit_sm, 0, sequence)
    writeMessageBody(writer, body)
    writer.end()
  }
  return writer.take()
}

/** PDUs in a second of processor time. */
function measureRate(run: () => void, seconds: number): number {
  const from = process.cpuUsage()
  let count = 0
  for (;;) {
    for (let index = 0; index < 200; index += 1) run()
    count += 200 * batch
    const { user, system } = process.cpuUsage(from)
    if (user + system >= seconds * 1_000_000) return (count * 1_000_000) / (user + system)
  }
}
