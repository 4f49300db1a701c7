import { PDU, type Pdu, type Session } from 'smpp'
import { describe, expect, it } from 'vitest'
import { SendWindow } from '../../../../src/phone/drivers/smpp/send-window.js'
import { waitForAbort } from '../../../../src/util/async/abort.js'
import { FakeClock } from '../../../util/async/fake-clock.js'
import { createHastyClock } from './hasty-clock.js'
import { type Act, createSmppDriver, keepSilent, reject, Smsc } from './smsc.js'

const never = new AbortController().signal
const text = (n = 0) => ({ id: `${n}`, destination: `+${1000 + n}`, text: `Hello ${n}` })

const nack =
  (status: number): Act =>
  (submit, session) => {
    const fields = { sequence_number: submit.sequence_number, command_status: status }
    session.send(new PDU('generic_nack', fields))
  }

/** Collects so many submits, then calls `act` with them. */
function collect(smsc: Smsc, count: number, act: (all: Pdu[], session: Session) => void): void {
  const held: Pdu[] = []
  smsc.otherwise = (submit, session) => {
    held.push(submit)
    if (held.length === count) act(held.splice(0), session)
  }
}

async function settle(sent: readonly Promise<unknown>[]): Promise<string[]> {
  const results = await Promise.allSettled(sent)
  return results.map(each => (each.status === 'fulfilled' ? 'sent' : each.reason.kind))
}

describe('a response', () => {
  it.each([
    [0, 'unknown'],
    [0x01, 'fail'],
    [0x03, 'trouble'],
    [0x58, 'trouble'],
  ])('generic_nack with status %i does not count as sent', async (status, kind) => {
    const smsc = await Smsc.start()
    // A throttled text is tried four times.
    smsc.script.push(...Array.from({ length: status === 0x58 ? 4 : 1 }, () => nack(status)))
    const { clock } = createHastyClock()
    const driver = createSmppDriver(smsc, {}, { clock })
    await expect(driver.send(text(), never)).rejects.toMatchObject({ kind, message: /nack/ })
    expect(await driver.send(text(), never)).toEqual({ parts: 1 })
  })

  it('of another command does not settle a submit', async () => {
    const smsc = await Smsc.start()
    smsc.script.push((submit, session) => {
      const { sequence_number } = submit
      session.send(new PDU('enquire_link_resp', { sequence_number }))
      session.send(submit.response({ command_status: 0x0b }))
    })
    await expect(createSmppDriver(smsc).send(text(), never)).rejects.toMatchObject({ kind: 'fail' })
  })

  it('after the unbind of the SMSC still decides about its message', async () => {
    const smsc = await Smsc.start()
    collect(smsc, 4, (all, session) => {
      session.send(new PDU('unbind'))
      session.once('unbind_resp', () => {
        session.send(all[1]?.response({ message_id: 'x' }) as Pdu)
        session.send(all[2]?.response({ command_status: 0x0b }) as Pdu)
        session.socket.end()
      })
    })
    const driver = createSmppDriver(smsc)
    const sent = [0, 1, 2, 3].map(n => driver.send(text(n), never))
    expect(await settle(sent)).toEqual(['unknown', 'sent', 'fail', 'unknown'])
  })

  it('before a lost connection counts; only the others are unknown', async () => {
    const smsc = await Smsc.start()
    collect(smsc, 4, (all, session) => {
      session.send(all[3]?.response({ message_id: 'x' }) as Pdu)
      session.send(all[0]?.response({ command_status: 0x14 }) as Pdu)
      session.socket.end()
    })
    const driver = createSmppDriver(smsc)
    const sent = [0, 1, 2, 3].map(n => driver.send(text(n), never))
    expect(await settle(sent)).toEqual(['retry', 'unknown', 'unknown', 'sent'])
  })
})

describe('the window', () => {
  it('is halved by ESME_RTHROTTLED and grows with accepted texts', async () => {
    const smsc = await Smsc.start()
    const sizes: number[] = []
    const { clock } = createHastyClock()
    const driver = createSmppDriver(smsc, { window: '8' }, { clock })
    const measure = async () => {
      const held: Pdu[] = []
      let isProbed = false
      smsc.otherwise = (submit, session) => {
        held.push(submit)
        if (isProbed) return
        isProbed = true
        // All submits of this window have arrived before the response.
        session.once('enquire_link_resp', () => {
          sizes.push(held.length)
          smsc.otherwise = (later, on) => void on.send(later.response({ message_id: 'x' }))
          for (const each of held) session.send(each.response({ message_id: 'x' }))
        })
        session.send(new PDU('enquire_link'))
      }
      await Promise.all(Array.from({ length: 12 }, (_, n) => driver.send(text(n), never)))
    }
    await measure()
    for (const status of [0x58, 0x58, 0x14]) {
      smsc.script.push(reject(status))
      await driver.send(text(), never).catch(() => undefined)
    }
    await measure()
    await measure()
    expect(sizes).toEqual([8, 2, 5])
  })

  it('causes no warning about many texts with one signal', async () => {
    const smsc = await Smsc.start()
    const warnings: Error[] = []
    const record = (warning: Error) => void warnings.push(warning)
    process.on('warning', record)
    const driver = createSmppDriver(smsc, { window: '50' })
    const { signal } = new AbortController()
    await Promise.all(Array.from({ length: 50 }, (_, n) => driver.send(text(n), signal)))
    await new Promise(resolve => setImmediate(resolve))
    process.off('warning', record)
    expect(warnings).toEqual([])
  })

  it('takes no more than the throughput of a second', async () => {
    const clock = new FakeClock({ auto: true })
    const window = new SendWindow(20, 5, clock)
    const times = await Promise.all(
      Array.from({ length: 11 }, async () => {
        await window.acquire(never)
        return clock.monotonic()
      }),
    )
    expect(times).toEqual(Array.from({ length: 11 }, (_, n) => 200 * n))
  })
})

describe('a silent SMSC', () => {
  it('gets no more texts after five without a response, then one at a time', async () => {
    const smsc = await Smsc.start()
    const clock = new FakeClock()
    smsc.otherwise = keepSilent
    const driver = createSmppDriver(smsc, { timeout: '10', enquire: '3600' }, { clock })
    const sendSilent = async (count: number) => {
      const before = countSubmits(smsc)
      const sent = Array.from({ length: count }, (_, n) => driver.send(text(n), never))
      await expect.poll(() => countSubmits(smsc)).toBeGreaterThan(before)
      const settled = settle(sent)
      await clock.pass(10_000)
      return { kinds: await settled, submits: countSubmits(smsc) - before }
    }
    expect(await sendSilent(4)).toEqual({ kinds: Array(4).fill('unknown'), submits: 4 })
    const watch = driver.watches?.[0]
    const watched = watch?.run(() => {}, never).catch(error => error)
    expect(await sendSilent(1)).toEqual({ kinds: ['unknown'], submits: 1 })
    expect(await watched).toMatchObject({ kind: 'trouble' })
    expect(await driver.health?.()).toMatchObject({ ok: false })
    await expect(driver.send(text(), never)).rejects.toMatchObject({ kind: 'trouble' })
    expect(countSubmits(smsc)).toBe(5)
    await clock.pass(5000)
    const isEnquiry = (command: string) => command === 'enquire_link'
    const enquiries = smsc.commands.filter(isEnquiry).length
    expect(await sendSilent(3)).toEqual({ kinds: ['unknown', 'trouble', 'trouble'], submits: 1 })
    expect(smsc.commands.filter(isEnquiry)).toHaveLength(enquiries + 1)
    await clock.pass(10_000)
    smsc.otherwise = (submit, session) => void session.send(submit.response({ message_id: 'x' }))
    const stop = new AbortController()
    const working = new Promise<void>(resolve => void watch?.run(resolve, stop.signal))
    await working
    expect(await settle([0, 1, 2].map(n => driver.send(text(n), never)))).toEqual(
      Array(3).fill('sent'),
    )
    expect(await driver.health?.()).toMatchObject({ ok: true })
    stop.abort()
    await waitForAbort(stop.signal)
  })
})

function countSubmits(smsc: Smsc): number {
  return smsc.commands.filter(each => each === 'submit_sm').length
}
