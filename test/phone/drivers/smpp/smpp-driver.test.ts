import { createServer } from 'node:net'
import { PDU, type Pdu, type Session } from 'smpp'
import { describe, expect, it } from 'vitest'
import { createDriver } from '../../../../src/phone/drivers/driver-registry.js'
import { createClock } from '../../../../src/util/async/clock.js'
import { listening } from './smpp-line.js'
import {
  answerAndHangUp,
  driverTo,
  hangUp,
  keepSilent,
  refuse,
  Smsc,
  takeAndHangUp,
} from './smsc.js'

const never = new AbortController().signal
const text = (message = 'Hello', destination = '+12025550123') => ({
  id: 'a',
  destination,
  text: message,
})
const bytes = (pdu: Pdu | undefined, field = 'short_message') => {
  const value = pdu?.[field] as { message: string; udh?: Buffer[] } | undefined
  return { text: value?.message, header: value?.udh?.map(each => each.toString('hex')) }
}

describe('binding', () => {
  it('is done with the first text, once for all that wait', async () => {
    const smsc = await Smsc.start()
    const driver = driverTo(smsc, { 'system-type': 'VMA' })
    expect(smsc.binds).toHaveLength(0)
    await Promise.all(Array.from({ length: 5 }, () => driver.send(text(), never)))
    expect(smsc.binds).toMatchObject([
      { system_id: 'relay', password: 'sesame', system_type: 'VMA', interface_version: 0x34 },
    ])
    expect(smsc.taken).toHaveLength(5)
  })

  it.each([
    [0x0e, /did not bind system-id "relay" \(ESME_RINVPASWD, wrong password\)\. Check .*PASSWORD/],
    [0x0f, /ESME_RINVSYSID, unknown system-id\)\. Check the option system-id/],
    [0x0d, /ESME_RBINDFAIL/],
    [0x05, /ESME_RALYBND, already bound elsewhere/],
  ])('that is refused with 0x%s is trouble and names no secret', async (status, sentence) => {
    const smsc = await Smsc.start()
    smsc.bindStatus = status
    const driver = driverTo(smsc)
    const error = await driver.send(text(), never).catch(each => each)
    expect(error).toMatchObject({ kind: 'trouble', message: expect.stringMatching(sentence) })
    expect(error.message).not.toContain('sesame')
    await expect(driver.send(text(), never)).rejects.toMatchObject({ kind: 'trouble' })
    expect(smsc.binds).toHaveLength(1)
  })

  it('is tried again after a while', async () => {
    const smsc = await Smsc.start()
    smsc.bindStatus = 0x0e
    let now = 0
    const options = { host: '127.0.0.1', port: String(smsc.port), 'system-id': 'relay' }
    const context = {
      env: { SMSRELAY_SMPP_PASSWORD: 'x' },
      clock: { ...createClock(), now: () => now },
    }
    await using driver = createDriver('smpp', options, context)
    await expect(driver.send(text(), never)).rejects.toMatchObject({
      kind: 'trouble',
      wait: 15_000,
    })
    smsc.bindStatus = 0
    await expect(driver.send(text(), never)).rejects.toMatchObject({ kind: 'trouble' })
    now = 15_000
    expect(await driver.send(text(), never)).toEqual({ parts: 1 })
  })

  it('to a port where nothing listens is trouble', async () => {
    const { port, close } = await listening(createServer())
    await close()
    const error = await driverTo({ port })
      .send(text(), never)
      .catch(each => each)
    expect(error).toMatchObject({ kind: 'trouble', message: /nothing listens there/ })
  })

  it('to a server that says nothing is trouble after the timeout', async () => {
    const { port } = await listening(createServer(() => {}))
    const error = await driverTo({ port })
      .send(text(), never)
      .catch(each => each)
    expect(error).toMatchObject({ kind: 'trouble', message: /did not answer bind_transceiver/ })
  })

  it('is given up at once when stopped', async () => {
    const { port } = await listening(createServer(() => {}))
    const stop = new AbortController()
    const driver = driverTo({ port }, { timeout: '600' })
    const sent = driver.send(text(), stop.signal)
    stop.abort()
    await expect(sent).rejects.toMatchObject({ kind: 'trouble' })
    await driver[Symbol.asyncDispose]()
  })

  it('ends with unbind', async () => {
    const smsc = await Smsc.start()
    const driver = driverTo(smsc)
    await driver.send(text(), never)
    await driver[Symbol.asyncDispose]()
    expect(smsc.asked).toEqual(['bind_transceiver', 'submit_sm', 'unbind'])
  })

  it.each<[string, Record<string, string>, Record<string, string>, RegExp]>([
    ['no host', { host: '' }, {}, /needs the option host/],
    ['no password', {}, {}, /set SMSRELAY_SMPP_PASSWORD in the environment/],
    [
      'long=ucs2',
      { long: 'ucs2' },
      { SMSRELAY_SMPP_PASSWORD: '' },
      /long is one of udh, payload, sar/,
    ],
    ['tls=1', { tls: '1' }, { SMSRELAY_SMPP_PASSWORD: '' }, /tls .*"1"/],
  ])('with %s is refused', (_, options, env, sentence) => {
    const all = { host: 'localhost', 'system-id': 'relay', ...options }
    expect(() => createDriver('smpp', all, { env })).toThrow(sentence)
  })
})

describe('a text', () => {
  it.each<[string, string, Record<string, string>, Record<string, unknown>]>([
    ['+12025550123', 'Hi @', {}, { dest_addr_ton: 1, dest_addr_npi: 1, data_coding: 0 }],
    ['40404', 'Hi', {}, { dest_addr_ton: 0, dest_addr_npi: 1, destination_addr: '40404' }],
    ['+1202', 'Hi 你', {}, { data_coding: 8, source_addr: '', source_addr_ton: 0 }],
    [
      '+1202',
      'Hi',
      { source: 'Acme' },
      { source_addr: 'Acme', source_addr_ton: 5, source_addr_npi: 0 },
    ],
    [
      '+1202',
      'Hi',
      { source: '+1555' },
      { source_addr: '1555', source_addr_ton: 1, source_addr_npi: 1 },
    ],
    [
      '+1202',
      'Hi',
      { source: '40404' },
      { source_addr: '40404', source_addr_ton: 0, source_addr_npi: 1 },
    ],
    [
      '+1202',
      'Hi',
      { source: '4', 'source-ton': '3', 'source-npi': '9' },
      { source_addr_ton: 3, source_addr_npi: 9 },
    ],
    ['+1202', 'Hi', { reports: 'yes' }, { registered_delivery: 1 }],
    ['+1202', 'Hi', {}, { registered_delivery: 0, esm_class: 0 }],
  ])('to %s, "%s" with %j', async (destination, message, options, expected) => {
    const smsc = await Smsc.start()
    expect(await driverTo(smsc, options).send(text(message, destination), never)).toEqual({
      parts: 1,
    })
    expect(smsc.taken).toMatchObject([expected])
    expect(bytes(smsc.taken[0])).toEqual({ text: message, header: undefined })
  })

  it('of two parts has a header in each', async () => {
    const smsc = await Smsc.start()
    const message = `${'a'.repeat(152)}€${'b'.repeat(100)}`
    expect(await driverTo(smsc).send(text(message), never)).toEqual({ parts: 2 })
    expect(smsc.taken.map(each => each.esm_class)).toEqual([0x40, 0x40])
    expect(smsc.taken.map(each => bytes(each))).toEqual([
      { text: 'a'.repeat(152), header: ['0003010201'] },
      { text: `€${'b'.repeat(100)}`, header: ['0003010202'] },
    ])
  })

  it('of two parts goes whole as message_payload', async () => {
    const smsc = await Smsc.start()
    const message = '你'.repeat(71)
    expect(await driverTo(smsc, { long: 'payload' }).send(text(message), never)).toEqual({
      parts: 2,
    })
    expect(smsc.taken).toMatchObject([{ data_coding: 8, esm_class: 0 }])
    expect(bytes(smsc.taken[0], 'message_payload').text).toBe(message)
  })

  it('of two parts goes with sar_ parameters', async () => {
    const smsc = await Smsc.start()
    expect(await driverTo(smsc, { long: 'sar' }).send(text('a'.repeat(161)), never)).toEqual({
      parts: 2,
    })
    expect(smsc.taken).toMatchObject([
      { sar_msg_ref_num: 0x8001, sar_total_segments: 2, sar_segment_seqnum: 1, esm_class: 0 },
      { sar_msg_ref_num: 0x8001, sar_total_segments: 2, sar_segment_seqnum: 2, esm_class: 0 },
    ])
  })
})

describe('a submit_sm that is not taken', () => {
  it.each([
    ['throttled', 0x58, { kind: 'trouble', wait: 2000, message: /ESME_RTHROTTLED, too many/ }],
    ['queue full', 0x14, { kind: 'trouble', wait: 2000 }],
    ['wrong destination', 0x0b, { kind: 'fail', message: /ESME_RINVDSTADR/ }],
    ['wrong source', 0x0a, { kind: 'trouble', message: /check the option source/ }],
    ['system error', 0x08, { kind: 'retry' }],
    ['the vendor’s own', 0x0423, { kind: 'retry', message: /status 0x00000423/ }],
    ['unknown error', 0xff, { kind: 'unknown' }],
  ])('%s', async (_, status, expected) => {
    const smsc = await Smsc.start()
    smsc.script.push(refuse(status))
    const driver = driverTo(smsc)
    await expect(driver.send(text(), never)).rejects.toMatchObject(expected)
    expect(await driver.send(text(), never)).toEqual({ parts: 1 })
    expect(smsc.binds).toHaveLength(1)
  })

  it('for want of a bind is trouble, and the next one binds again', async () => {
    const smsc = await Smsc.start()
    smsc.script.push(refuse(0x04))
    const driver = driverTo(smsc)
    await expect(driver.send(text(), never)).rejects.toMatchObject({ kind: 'trouble' })
    await driver.send(text(), never)
    expect(smsc.binds).toHaveLength(2)
  })

  it('or is, without an answer, is unknown', async () => {
    const smsc = await Smsc.start()
    smsc.script.push(keepSilent)
    const driver = driverTo(smsc)
    const error = await driver.send(text(), never).catch(each => each)
    expect(error).toMatchObject({ kind: 'unknown', message: /did not answer submit_sm in time/ })
  })

  it.each([
    ['before it was taken', hangUp, 0],
    ['after it was taken', takeAndHangUp, 1],
  ])(
    'or is, on a line that was lost %s, is unknown, and the next one binds again',
    async (_, act, taken) => {
      const smsc = await Smsc.start()
      smsc.script.push(act)
      const driver = driverTo(smsc)
      await expect(driver.send(text(), never)).rejects.toMatchObject({
        ...{ kind: 'unknown', message: /was lost before it had answered/ },
      })
      expect(smsc.taken).toHaveLength(taken)
      await driver.send(text(), never)
      expect(smsc.binds).toHaveLength(2)
    },
  )

  it('is sent when the answer came before the line was lost', async () => {
    const smsc = await Smsc.start()
    smsc.script.push(answerAndHangUp)
    const driver = driverTo(smsc)
    expect(await driver.send(text(), never)).toEqual({ parts: 1 })
    await expect.poll(() => smsc.sessions.size).toBe(0)
    expect(await driver.send(text(), never)).toEqual({ parts: 1 })
    expect(smsc.taken).toHaveLength(2)
  })

  it('is unknown when it is given up', async () => {
    const smsc = await Smsc.start()
    const stop = new AbortController()
    smsc.script.push(() => stop.abort())
    const error = await driverTo(smsc, { timeout: '60' })
      .send(text(), stop.signal)
      .catch(each => each)
    expect(error).toMatchObject({ kind: 'unknown', message: /^Stopped before/ })
  })

  it('is tried again when it is the second part that is throttled', async () => {
    const smsc = await Smsc.start()
    const accept = smsc.otherwise
    smsc.script.push(accept, refuse(0x58), refuse(0x14))
    expect(await driverTo(smsc).send(text('a'.repeat(161)), never)).toEqual({ parts: 2 })
    expect(smsc.taken.map(each => bytes(each).header)).toEqual([['0003010201'], ['0003010202']])
  })

  it('is unknown when it is the second part that is refused', async () => {
    const smsc = await Smsc.start()
    smsc.script.push(smsc.otherwise, refuse(0x08))
    await expect(driverTo(smsc).send(text('a'.repeat(161)), never)).rejects.toMatchObject({
      ...{ kind: 'unknown', message: /^Only 1 of 2 parts were sent: .*ESME_RSYSERR/ },
    })
  })
})

describe('the window', () => {
  it('holds as many submits as it may, and takes answers in any order', async () => {
    const smsc = await Smsc.start()
    const held: Pdu[] = []
    let most = 0
    const answerAll = (session: Session) => {
      for (const each of held.splice(0).reverse()) {
        const answer = each.destination_addr === '1007' ? { command_status: 0x0b } : {}
        session.send(each.response({ message_id: smsc.take(each), ...answer }))
      }
    }
    smsc.otherwise = (submit, session) => {
      held.push(submit)
      most = Math.max(most, held.length)
      if (held.length !== 10) return
      // What was submitted before this is answered has come before its answer.
      session.once('enquire_link_resp', () => answerAll(session))
      session.send(new PDU('enquire_link'))
    }
    const driver = driverTo(smsc, { window: '10' })
    const results = await Promise.allSettled(
      Array.from({ length: 30 }, (_, n) => driver.send(text(`Hello ${n}`, `+${1000 + n}`), never)),
    )
    expect(most).toBe(10)
    const failed = results.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []))
    expect(failed).toEqual([7])
  })
})

describe('a line', () => {
  it('on which enquire_link is not answered is dead: what waits is unknown, what comes binds again', async () => {
    const smsc = await Smsc.start()
    const driver = driverTo(smsc, { enquire: '1', timeout: '1' })
    await driver.send(text(), never)
    smsc.answersEnquiries = false
    smsc.script.push(keepSilent)
    const lost = driverTo(smsc, { enquire: '1', timeout: '1' }).send(text(), never)
    await expect(lost).rejects.toMatchObject({ kind: 'unknown' })
    await expect.poll(() => smsc.sessions.size, { timeout: 5000 }).toBe(0)
    smsc.answersEnquiries = true
    await driver.send(text(), never)
    expect(smsc.binds).toHaveLength(3)
  })

  it('that the SMSC unbinds is bound again', async () => {
    const smsc = await Smsc.start()
    const driver = driverTo(smsc)
    await driver.send(text(), never)
    await smsc.deliver({}, 'unbind')
    await driver.send(text(), never)
    expect(smsc.binds).toHaveLength(2)
  })

  it('on which no PDU comes is dead', async () => {
    const { port } = await listening(
      createServer(socket => {
        socket.on('error', () => {})
        socket.once('data', () => socket.write(Buffer.alloc(16, 0xff)))
      }),
    )
    const error = await driverTo({ port })
      .send(text(), never)
      .catch(each => each)
    expect(error).toMatchObject({ kind: 'trouble', message: /PDU length was too large/ })
  })

  it('says in its health whether it is bound', async () => {
    const smsc = await Smsc.start()
    const driver = driverTo(smsc)
    expect(await driver.health?.()).toEqual({
      ...{ ok: true, detail: `Bound to 127.0.0.1:${smsc.port} as relay.` },
    })
    smsc.bindStatus = 0x0e
    const other = driverTo(smsc)
    expect(await other.health?.()).toMatchObject({ ok: false, detail: /RINVPASWD/ })
  })
})
