import { spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import type { DeliveryReceipt } from '../../../../../src/phone/driver-port/driver.js'
import type { MessageBody } from '../../../../../src/phone/drivers/smpp/pdu/message-body.js'
import { findFreePort } from '../../../../../tools/ports/free-ports.js'
import { smsTexts } from '../../../../fixtures/sms-texts.js'
import { createSmppDriver } from '../smsc.js'
import { CodecSmsc } from './codec-smsc.js'
import { findDriveSmpp, hasKannel, startKannel } from './kannel.js'
import { startProgram } from './programs.js'

const never = new AbortController().signal
const hasNetSmpp = spawnSync('perl', ['-MNet::SMPP', '-e', '1']).status === 0
if (!hasNetSmpp) console.warn('Net::SMPP (libnet-smpp-perl) is not installed: its test is skipped.')
const kannel = hasKannel()
const driveSmpp = findDriveSmpp()

const delivered: MessageBody = {
  ...{ serviceType: '', esmClass: 0, protocolId: 0, priorityFlag: 0, registeredDelivery: 0 },
  ...{ scheduleDeliveryTime: '', validityPeriod: '', dataCoding: 8, tlvs: [] },
  source: { ton: 1, npi: 1, address: '12025550199' },
  destination: { ton: 0, npi: 1, address: '13013' },
  shortMessage: Buffer.from('4f60d83dde00', 'hex'),
}

function findScript(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url))
}

it.skipIf(!hasNetSmpp)('texts reach an SMSC of Net::SMPP, and its receipts arrive', async () => {
  const smsc = startProgram('perl', [findScript('net-smpp-smsc.pl')])
  const [, port] = await smsc.waitForLine(/^port (\d+)/)
  const driver = createSmppDriver({ port: Number(port) }, { timeout: '10', reports: 'yes' })
  const receipts: DeliveryReceipt[] = []
  driver.listen?.({ onText: () => {}, onReceipt: each => void receipts.push(each) })
  const send = async (n: number, text: string) => {
    const { parts } = await driver.send({ id: `${n}`, destination: `+120255501${n}`, text }, never)
    return parts
  }
  expect(
    await Promise.all([send(10, 'Hi @ €'), send(11, 'a'.repeat(161)), send(12, '你😀')]),
  ).toEqual([1, 2, 1])
  await expect.poll(() => receipts).toHaveLength(4)
  expect(receipts).toContainEqual(
    expect.objectContaining({ to: '12025550110', state: 'delivered', networkId: 'perl1' }),
  )
  expect(await driver.health?.()).toMatchObject({ ok: true })
  await driver[Symbol.asyncDispose]()
  const { lines } = smsc
  expect(lines).toContain('bind bind_transceiver relay sesame 52')
  expect(lines).toContain('submit 12025550110 0 0 48692000201b65')
  expect(lines).toContain('submit 12025550112 0 8 4f60d83dde00')
  expect(lines.filter(each => /^submit 12025550111 64 0 050003/.test(each))).toHaveLength(2)
  expect(lines.filter(each => each === 'deliver_sm_resp 0')).toHaveLength(4)
})

it.skipIf(!hasNetSmpp)('an ESME of Net::SMPP sends to the codec, and gets its texts', async () => {
  const smsc = await CodecSmsc.start()
  const texts = ['12025550110:0:48692000201b65', '12025550111:8:4f60d83dde00']
  const script = findScript('net-smpp-esme.pl')
  const esme = startProgram('perl', [script, String(smsc.port), ...texts])
  await esme.waitForLine(/^submitted 0 id2$/)
  expect(smsc.submitted).toEqual([
    { to: '12025550110', text: 'Hi @ €' },
    { to: '12025550111', text: '你😀' },
  ])
  smsc.deliver(delivered, 7)
  await esme.waitForLine(/^delivered 12025550199 8 4f60d83dde00$/)
  await expect.poll(() => smsc.responses).toMatchObject([{ status: 0, sequence: 7 }])
})

it.skipIf(!kannel)(
  'texts of Kannel arrive as they were, in the parts of the fixture',
  async () => {
    const smsc = await CodecSmsc.start()
    const { sendText, bearerbox } = await startKannel(smsc.port)
    const toNumber = (index: number) => String(12_025_550_000 + index)
    for (const [index, { text, alphabet }] of smsTexts.entries()) {
      await sendText(`+${toNumber(index)}`, text, alphabet)
    }
    const total = smsTexts.reduce((sum, each) => sum + each.kannel, 0)
    await expect
      .poll(() => smsc.submitted.length, { timeout: 60_000 })
      .toBeGreaterThanOrEqual(total)
    const arrived = smsTexts.map(({ name }, index) => {
      const parts = smsc.submitted.filter(each => each.to === toNumber(index))
      return { name, kannel: parts.length, text: parts.map(each => each.text).join('') }
    })
    expect(arrived).toEqual(
      smsTexts.map(({ name, kannel: parts, text }) => ({ name, kannel: parts, text })),
    )
    smsc.deliver(delivered, 9)
    await expect.poll(() => smsc.responses.find(each => each.sequence === 9)?.status).toBe(0)
    await bearerbox.waitForLine(/source_addr: "12025550199"/)
  },
  120_000,
)

it.skipIf(driveSmpp === undefined)(
  'texts go to drive_smpp of Kannel, and come from it',
  async () => {
    const { close } = await listenForSmsbox()
    onTestFinished(close)
    const port = await findFreePort()
    const smsc = startProgram(driveSmpp ?? '', ['-p', String(port), '-m', '20'])
    const driver = createSmppDriver({ port }, { bind: 'separate', timeout: '20', window: '50' })
    const received: string[] = []
    driver.listen?.({ onText: ({ text }) => void received.push(text), onReceipt: () => {} })
    const isBound = async () => (await driver.health?.())?.ok
    await expect.poll(isBound).toBe(true)
    const sends = Array.from({ length: 200 }, (_, n) =>
      driver.send({ id: `${n}`, destination: '+12025550123', text: `Text ${n}` }, never),
    )
    expect(await Promise.all(sends)).toHaveLength(200)
    await expect.poll(() => received.length).toBe(20)
    expect(received.toSorted((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 20 }, (_, n) => `${n + 1}`),
    )
    await driver[Symbol.asyncDispose]()
    expect(smsc.lines.filter(each => each.includes('short_message = <Text '))).toHaveLength(200)
  },
  60_000,
)

/** drive_smpp connects to the port of Kannel's smsbox, which it cannot be told. */
async function listenForSmsbox() {
  const server = createServer(socket => void socket.on('error', () => {}).resume())
  await new Promise<void>(resolve => {
    server.once('error', () => resolve())
    server.listen(13_001, '127.0.0.1', resolve)
  })
  const close = async () => {
    if (server.listening) await new Promise(resolve => server.close(resolve))
  }
  return { close }
}
