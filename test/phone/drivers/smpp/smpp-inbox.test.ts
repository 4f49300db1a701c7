import { describe, expect, it } from 'vitest'
import type { DeliveryReceipt, IncomingText } from '../../../../src/phone/driver-port/driver.js'
import { buildSubmitSms } from '../../../../src/phone/drivers/smpp/text/submit-sm.js'
import { PartAssembler } from '../../../../src/phone/received/part-assembler.js'
import { contentSettings, createSmppDriver, Smsc, toPackageFields } from './smsc.js'

const never = new AbortController().signal
const text = { id: 'a', destination: '+12025550123', text: 'Hello' }

/** A bound driver, and what it receives. */
async function openBound(options: Record<string, string> = {}) {
  const smsc = await Smsc.start()
  const driver = createSmppDriver(smsc, options)
  const received: IncomingText[] = []
  const receipts: DeliveryReceipt[] = []
  const parts = collectTexts(received)
  driver.listen?.({
    onText: parts,
    onReceipt: each => void receipts.push(each),
    // Another id is that of a text of another phone.
    isOwnReceipt: async ({ networkId }) => networkId?.toLowerCase().startsWith('id1') ?? false,
  })
  await driver.send(text, never)
  return { smsc, driver, received, receipts }
}

/** Joins parts as the phone does. */
function collectTexts(complete: IncomingText[]) {
  const assembler = new PartAssembler()
  return (each: IncomingText) => {
    const text = assembler.add({ ...each, key: `${complete.length}`, cameAt: each.at })
    if (text !== undefined) complete.push(text)
  }
}

const from = { source_addr_ton: 1, source_addr_npi: 1, source_addr: '12025550199' }
const encodeReceipt = (id: string, stat: string, error: string) => {
  const dates = 'submit date:2611211200 done date:2611211201'
  return Buffer.from(`id:${id} sub:001 dlvrd:001 ${dates} stat:${stat} err:${error} text:Hello`)
}

describe('a received text', () => {
  it.each<[string, Record<string, unknown>, string]>([
    [
      'in GSM 03.38',
      { data_coding: 0, short_message: Buffer.from([0x00, 0x1b, 0x65, 0x20, 0x7f]) },
      '@€ à',
    ],
    ['in UCS-2', { data_coding: 8, short_message: Buffer.from('4f60d83dde00', 'hex') }, '你😀'],
    ['in Latin-1', { data_coding: 3, short_message: Buffer.from([0xe9, 0x20, 0xe7]) }, 'é ç'],
    [
      'in Turkish tables',
      { data_coding: 0, esm_class: 0x40, short_message: Buffer.from('032401016b1b691b73', 'hex') },
      'kış',
    ],
    ['in octets', { data_coding: 4, short_message: Buffer.from('STOP') }, 'STOP'],
    ['as message_payload', { data_coding: 0, message_payload: Buffer.from('STOP') }, 'STOP'],
    ['that is empty', { data_coding: 0 }, ''],
    ['of voice mail', { data_coding: 0xc8, short_message: Buffer.from('Call 123') }, 'Call 123'],
  ])('%s is received and answered', async (_, fields, expected) => {
    const { smsc, received } = await openBound()
    expect(await smsc.deliver({ ...from, ...fields })).toMatchObject({ command_status: 0 })
    expect(received).toMatchObject([{ from: '+12025550199', text: expected }])
  })

  it.each<[string, Record<string, unknown>, object]>([
    ['type 0', { protocol_id: 0x40, short_message: Buffer.from('x') }, { content: /type 0/ }],
    ['data for the SIM', { protocol_id: 0x7f, data_coding: 0xf6 }, { content: /for the SIM/ }],
    ['voice mail without words', { data_coding: 0xc8 }, { content: /waiting/ }],
    ['voice mail by a parameter', { ms_msg_wait_facilities: Buffer.of(1) }, { content: /waiting/ }],
    ['octets', { data_coding: 4, short_message: Buffer.of(255, 1) }, { isData: true }],
    ['octets of 0xf5', { data_coding: 0xf5, short_message: Buffer.of(1) }, { isData: true }],
    ['a port by a parameter', { dest_port: 2948 }, { port: 2948 }],
    [
      'a port by a header',
      { esm_class: 0x40, short_message: Buffer.from('0605040b8423f048', 'hex') },
      { port: 2948 },
    ],
  ])('%s is acknowledged and told from a text of a person', async (_, fields, expected) => {
    const smsc = await Smsc.start()
    const driver = createSmppDriver(smsc)
    const got: object[] = []
    const record = (each: object) => void got.push(each)
    driver.listen?.({ onText: record, onIgnored: record, onReceipt: () => {} })
    await driver.send(text, never)
    const answer = await smsc.deliver({ ...from, data_coding: 0, ...fields })
    expect(answer).toMatchObject({ command_status: 0 })
    const matches = Object.entries(expected).map(([name, value]) => [
      name,
      value instanceof RegExp ? expect.stringMatching(value) : value,
    ])
    expect(got).toMatchObject([Object.fromEntries(matches)])
  })

  it.each([
    [1, '447911123456', '+447911123456'],
    [1, '+447911123456', '+447911123456'],
    [1, '00447911123456', '+447911123456'],
    [1, '07911123456', '07911123456'],
    [1, '40404', '40404'],
    [0, '447911123456', '447911123456'],
    [3, '40404', '40404'],
    [5, 'Acme', 'Acme'],
  ])('from TON %i and %s has the sender %s', async (source_addr_ton, source_addr, expected) => {
    const { smsc, received } = await openBound()
    const short_message = Buffer.from('x')
    await smsc.deliver({ source_addr_ton, source_addr, data_coding: 0, short_message })
    expect(received.map(each => each.from)).toEqual([expected])
  })

  it('without a listener gets a temporary error', async () => {
    const smsc = await Smsc.start()
    await createSmppDriver(smsc).send(text, never)
    const answer = await smsc.deliver({ ...from, data_coding: 0, short_message: Buffer.from('x') })
    expect(answer.command_status).toBe(0x64)
  })

  it('is answered once it is stored, and gets a temporary error if it cannot be', async () => {
    const smsc = await Smsc.start()
    const driver = createSmppDriver(smsc)
    const stored: (() => void)[] = []
    const received = async () =>
      await new Promise<void>((resolve, reject) => {
        if (stored.length === 0) stored.push(resolve)
        else reject(new Error('disk full'))
      })
    driver.listen?.({ onText: received, onReceipt: () => {} })
    await driver.send(text, never)
    const delivery = { ...from, data_coding: 0, short_message: Buffer.from('x') }
    let answered = false
    const first = smsc.deliver(delivery).finally(() => {
      answered = true
    })
    await expect.poll(() => stored).toHaveLength(1)
    await driver.send(text, never)
    expect(answered).toBe(false)
    stored[0]?.()
    expect((await first).command_status).toBe(0)
    expect((await smsc.deliver(delivery)).command_status).toBe(0x64)
  })

  it('by data_sm is also received', async () => {
    const { smsc, received } = await openBound()
    await smsc.deliver({ ...from, data_coding: 0, message_payload: Buffer.from('Hi') }, 'data_sm')
    expect(received).toMatchObject([{ from: '+12025550199', text: 'Hi' }])
  })

  it.each(['udh', 'udh16', 'sar'] as const)('in parts (%s) is joined in any order', async long => {
    const { smsc, received } = await openBound()
    const whole = `${'a€'.repeat(120)}!`
    const { contents } = buildSubmitSms(whole, { ...contentSettings, long }, 0x1234)
    const bodies = contents.map(toPackageFields)
    expect(bodies.length).toBe(3)
    for (const body of [bodies[2], bodies[0], bodies[0], bodies[1]]) {
      await smsc.deliver({ ...from, ...body })
    }
    expect(received.map(each => each.text)).toEqual([whole])
  })

  it('in parts with a reference of 16 bits is joined', async () => {
    const { smsc, received } = await openBound()
    const part = (number: number, words: string) =>
      Buffer.concat([Buffer.of(6, 8, 4, 0x12, 0x34, 2, number), Buffer.from(words)])
    for (const [number, words] of [
      [2, 'world'],
      [1, 'Hello '],
    ] as const) {
      const short_message = part(number, words)
      await smsc.deliver({ ...from, esm_class: 0x40, data_coding: 0, short_message })
    }
    expect(received.map(each => each.text)).toEqual(['Hello world'])
  })
})

describe('a delivery receipt', () => {
  it.each([
    ['DELIVRD', 'delivered', undefined],
    ['ACCEPTD', 'pending', 'ACCEPTD, error 011'],
    ['ENROUTE', 'pending', 'ENROUTE, error 011'],
    ['UNDELIV', 'undelivered', 'UNDELIV, error 011'],
    ['EXPIRED', 'expired', 'EXPIRED, error 011'],
    ['REJECTD', 'undelivered', 'REJECTD, error 011'],
  ])('as text with %s is %s, with the id and the reason', async (stat, state, reason) => {
    const { smsc, receipts, received } = await openBound({ reports: 'yes' })
    const short_message = encodeReceipt('id1', stat, '011')
    await smsc.deliver({ ...from, esm_class: 0x04, data_coding: 0, short_message })
    const rest = reason === undefined ? {} : { reason }
    const fields = { to: '+12025550199', state, networkId: 'id1', elapsed: 60_000 }
    expect(receipts).toEqual([{ ...fields, ...rest }])
    expect(received).toEqual([])
  })

  it.each([
    [2, 'delivered'],
    [1, 'pending'],
    [5, 'undelivered'],
  ])('as parameters with message_state %i is %s', async (message_state, state) => {
    const { smsc, receipts } = await openBound()
    await smsc.deliver({ ...from, esm_class: 0x04, receipted_message_id: 'ID1', message_state })
    expect(receipts).toMatchObject([{ to: '+12025550199', state, networkId: 'ID1' }])
  })

  it('without its mark in esm_class needs a state; otherwise it is a text', async () => {
    const { smsc, receipts, received } = await openBound()
    const short_message = Buffer.from('Hi')
    const fields = { ...from, data_coding: 0, receipted_message_id: 'id1', short_message }
    await smsc.deliver(fields)
    await smsc.deliver({ ...fields, message_state: 2 })
    expect(received.map(each => each.text)).toEqual(['Hi'])
    expect(receipts).toMatchObject([{ state: 'delivered', networkId: 'id1' }])
  })

  const form = (id: string, stat = 'DELIVRD') => `id:${id} sub:001 dlvrd:001 stat:${stat} err:000`
  it.each([
    ['with the mark', 0x04, 0, Buffer.from(form('id1'))],
    ['without the mark', 0, 0, Buffer.from(form('id1'))],
    ['with the mark of a notification', 0x20, 0, Buffer.from('id:id1 stat:DELIVRD')],
    ['in other letters', 0x04, 0, Buffer.from('ID:id1  STAT:delivrd')],
    ['with a number as state', 0x04, 0, Buffer.from('id:id1 stat:2')],
    ['in UCS-2', 0x04, 8, Buffer.from(form('id1'), 'utf16le').swap16()],
    ['with spaces', 0x04, 0, Buffer.from('id: id1 stat: DELIVRD err: 0')],
  ])('%s is one', async (_, esm_class, data_coding, short_message) => {
    const { smsc, receipts, received } = await openBound({ reports: 'yes' })
    const answer = await smsc.deliver({ ...from, esm_class, data_coding, short_message })
    expect(answer.command_status).toBe(0)
    expect(receipts).toMatchObject([{ networkId: 'id1', state: 'delivered' }])
    expect(received).toEqual([])
  })

  it('has its id in ASCII, also where texts are in GSM 03.38', async () => {
    const { smsc, receipts } = await openBound({ reports: 'yes' })
    const short_message = Buffer.from(form('id1_a@b$[c]'))
    await smsc.deliver({ ...from, esm_class: 4, data_coding: 0, short_message })
    expect(receipts.map(each => each.networkId)).toEqual(['id1_a@b$[c]'])
  })

  it.each([
    ['yes', 0x04, form('x9'), 0x64, []],
    ['no', 0x04, form('x9'), 0, []],
    ['yes', 0, form('x9'), 0, [form('x9')]],
    ['yes', 0x04, 'Call me', 0, ['Call me']],
    ['yes', 0, 'id:id1', 0, ['id:id1']],
  ] as const)(
    'with reports=%s, esm_class %i and "%s" is answered with %i',
    async (reports, esm_class, words, status, expected) => {
      const { smsc, received } = await openBound({ reports })
      const short_message = Buffer.from(words)
      const answer = await smsc.deliver({ ...from, esm_class, data_coding: 0, short_message })
      expect(answer.command_status).toBe(status)
      expect(received.map(each => each.text)).toEqual(expected)
    },
  )

  it('without a state is not final', async () => {
    const { smsc, receipts } = await openBound()
    await smsc.deliver({ ...from, esm_class: 0x04, receipted_message_id: 'id1' })
    expect(receipts).toEqual([{ to: '+12025550199', state: 'pending', networkId: 'id1' }])
  })

  it.each([
    ['submit date:261122235930 done date:261123000130', 120_000],
    ['submit date:2611221200 done date:261122120001', 1000],
    ['submit date:2611221200 done date:2611221159', undefined],
    ['submit date:2611221200 done date:2613221201', undefined],
    ['submit date:0000000000 done date:2611221201', undefined],
    ['done date:2611221201', undefined],
  ])('with %s was settled after %s ms', async (dates, elapsed) => {
    const { smsc, receipts } = await openBound()
    const short_message = Buffer.from(`id:id1 ${dates} stat:DELIVRD`)
    await smsc.deliver({ ...from, esm_class: 0x04, short_message })
    expect(receipts.map(each => each.elapsed)).toEqual([elapsed])
  })

  it('is answered once it is stored, and gets a temporary error if it cannot be', async () => {
    const smsc = await Smsc.start()
    const driver = createSmppDriver(smsc)
    let isFull = true
    const onReceipt = async () => {
      if (isFull) throw new Error('disk full')
    }
    driver.listen?.({ onText: () => {}, onReceipt })
    await driver.send(text, never)
    const receipt = { ...from, esm_class: 0x04, receipted_message_id: 'id1', message_state: 2 }
    expect((await smsc.deliver(receipt)).command_status).toBe(0x64)
    isFull = false
    expect((await smsc.deliver(receipt)).command_status).toBe(0)
  })
})

it.each([
  ['yes', ['id1', 'id2']],
  ['no', undefined],
])('with reports=%s the ids of the parts are %j', async (reports, networkIds) => {
  const smsc = await Smsc.start()
  const driver = createSmppDriver(smsc, { reports })
  const sent = await driver.send({ ...text, text: 'x'.repeat(200) }, never)
  expect(sent).toEqual({ parts: 2, ...(networkIds && { networkIds }) })
})
