import { PDU, type Pdu, type Session } from 'smpp'
import { describe, expect, it } from 'vitest'
import { createHastyClock } from './hasty-clock.js'
import {
  acceptAndHangUp,
  answerAndHangUp,
  createSmppDriver,
  hangUp,
  keepSilent,
  reject,
  Smsc,
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
  ])(
    'to %s, "%s" with %j has the right fields',
    async (destination, message, options, expected) => {
      const smsc = await Smsc.start()
      const sent = await createSmppDriver(smsc, options).send(text(message, destination), never)
      expect(sent).toMatchObject({ parts: 1 })
      expect(smsc.accepted).toMatchObject([expected])
      expect(bytes(smsc.accepted[0])).toEqual({ text: message, header: undefined })
    },
  )

  it('of two parts has a header in each', async () => {
    const smsc = await Smsc.start()
    const message = `${'a'.repeat(152)}€${'b'.repeat(100)}`
    expect(await createSmppDriver(smsc).send(text(message), never)).toEqual({ parts: 2 })
    expect(smsc.accepted.map(each => each.esm_class)).toEqual([0x40, 0x40])
    expect(smsc.accepted.map(each => bytes(each))).toEqual([
      { text: 'a'.repeat(152), header: ['0003010201'] },
      { text: `€${'b'.repeat(100)}`, header: ['0003010202'] },
    ])
  })

  it('of two parts is sent in one message_payload', async () => {
    const smsc = await Smsc.start()
    const message = '你'.repeat(71)
    expect(await createSmppDriver(smsc, { long: 'payload' }).send(text(message), never)).toEqual({
      parts: 2,
    })
    expect(smsc.accepted).toMatchObject([{ data_coding: 8, esm_class: 0 }])
    expect(bytes(smsc.accepted[0], 'message_payload').text).toBe(message)
  })

  it('of two parts is sent with sar_ parameters', async () => {
    const smsc = await Smsc.start()
    expect(
      await createSmppDriver(smsc, { long: 'sar' }).send(text('a'.repeat(161)), never),
    ).toEqual({
      parts: 2,
    })
    expect(smsc.accepted).toMatchObject([
      { sar_msg_ref_num: 0x8001, sar_total_segments: 2, sar_segment_seqnum: 1, esm_class: 0 },
      { sar_msg_ref_num: 0x8001, sar_total_segments: 2, sar_segment_seqnum: 2, esm_class: 0 },
    ])
  })
})

describe('a failed submit_sm', () => {
  it.each([
    ['queue of the number full', 0x14, { kind: 'retry', wait: 0 }],
    ['wrong destination', 0x0b, { kind: 'fail', message: /ESME_RINVDSTADR/ }],
    ['wrong source', 0x0a, { kind: 'trouble', message: /ESME_RINVSRCADR.*option source/ }],
    ['system error', 0x08, { kind: 'retry' }],
    ['a vendor’s status', 0x0423, { kind: 'retry', message: /0x00000423/ }],
    ['unknown error', 0xff, { kind: 'unknown' }],
  ])('%s', async (_, status, expected) => {
    const smsc = await Smsc.start()
    smsc.script.push(reject(status))
    const driver = createSmppDriver(smsc)
    await expect(driver.send(text(), never)).rejects.toMatchObject(expected)
    expect(await driver.send(text(), never)).toEqual({ parts: 1 })
    expect(smsc.binds).toHaveLength(1)
  })

  it('without a bind is trouble, and the next text binds again', async () => {
    const smsc = await Smsc.start()
    smsc.script.push(reject(0x04))
    const driver = createSmppDriver(smsc)
    await expect(driver.send(text(), never)).rejects.toMatchObject({ kind: 'trouble' })
    await driver.send(text(), never)
    expect(smsc.binds).toHaveLength(2)
  })

  it('without a response is unknown', async () => {
    const smsc = await Smsc.start()
    smsc.script.push(keepSilent)
    const driver = createSmppDriver(smsc, { timeout: '1' })
    const error = await driver.send(text(), never).catch(each => each)
    expect(error).toMatchObject({ kind: 'unknown', message: /submit_sm/ })
  })

  it.each([
    ['before', hangUp, 0],
    ['after', acceptAndHangUp, 1],
  ])(
    'on a connection that is lost %s it was accepted is unknown, and the next text binds again',
    async (_, act, accepted) => {
      const smsc = await Smsc.start()
      smsc.script.push(act)
      const driver = createSmppDriver(smsc)
      await expect(driver.send(text(), never)).rejects.toMatchObject({
        kind: 'unknown',
      })
      expect(smsc.accepted).toHaveLength(accepted)
      await driver.send(text(), never)
      expect(smsc.binds).toHaveLength(2)
    },
  )

  it('counts as sent if the response came before the connection was lost', async () => {
    const smsc = await Smsc.start()
    smsc.script.push(answerAndHangUp)
    const driver = createSmppDriver(smsc)
    expect(await driver.send(text(), never)).toEqual({ parts: 1 })
    await expect.poll(() => smsc.sessions.size).toBe(0)
    expect(await driver.send(text(), never)).toEqual({ parts: 1 })
    expect(smsc.accepted).toHaveLength(2)
  })

  it('after a stop is unknown', async () => {
    const smsc = await Smsc.start()
    const stop = new AbortController()
    smsc.script.push(() => stop.abort())
    const error = await createSmppDriver(smsc, { timeout: '60' })
      .send(text(), stop.signal)
      .catch(each => each)
    expect(error).toMatchObject({ kind: 'unknown' })
  })

  it('that is throttled is tried again, more slowly, and is trouble after four times', async () => {
    const smsc = await Smsc.start()
    const { clock, slept } = createHastyClock()
    const driver = createSmppDriver(smsc, {}, { clock })
    smsc.script.push(reject(0x58), reject(0x58))
    expect(await driver.send(text(), never)).toEqual({ parts: 1 })
    expect(slept).toHaveLength(2)
    expect(slept[1]).toBeGreaterThan(slept[0] ?? 0)
    smsc.script.push(...Array.from({ length: 4 }, () => reject(0x58)))
    await expect(driver.send(text(), never)).rejects.toMatchObject({
      ...{ kind: 'trouble', wait: 2000, message: /ESME_RTHROTTLED/ },
    })
    expect(smsc.commands.filter(each => each === 'submit_sm')).toHaveLength(7)
  })

  it('of a throttled second part is tried again', async () => {
    const smsc = await Smsc.start()
    const accept = smsc.otherwise
    smsc.script.push(accept, reject(0x58), reject(0x14))
    expect(await createSmppDriver(smsc).send(text('a'.repeat(161)), never)).toEqual({ parts: 2 })
    expect(smsc.accepted.map(each => bytes(each).header)).toEqual([['0003010201'], ['0003010202']])
  })

  it('of a rejected second part is unknown', async () => {
    const smsc = await Smsc.start()
    smsc.script.push(smsc.otherwise, reject(0x08))
    await expect(createSmppDriver(smsc).send(text('a'.repeat(161)), never)).rejects.toMatchObject({
      ...{ kind: 'unknown', message: /1 of 2.*ESME_RSYSERR/ },
    })
  })
})

describe('the window', () => {
  it('limits the unanswered submits, and responses may come in any order', async () => {
    const smsc = await Smsc.start()
    const held: Pdu[] = []
    let max = 0
    const answerAll = (session: Session) => {
      for (const each of held.splice(0).reverse()) {
        const answer = each.destination_addr === '1007' ? { command_status: 0x0b } : {}
        session.send(each.response({ message_id: smsc.accept(each), ...answer }))
      }
    }
    smsc.otherwise = (submit, session) => {
      held.push(submit)
      max = Math.max(max, held.length)
      if (held.length !== 10) return
      // Earlier submits have arrived before the response to this.
      session.once('enquire_link_resp', () => answerAll(session))
      session.send(new PDU('enquire_link'))
    }
    const driver = createSmppDriver(smsc, { window: '10' })
    const results = await Promise.allSettled(
      Array.from({ length: 30 }, (_, n) => driver.send(text(`Hello ${n}`, `+${1000 + n}`), never)),
    )
    expect(max).toBe(10)
    const failed = results.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []))
    expect(failed).toEqual([7])
  })
})
