import { describe, expect, it } from 'vitest'
import type { DriverListener } from '../../../../src/phone/driver-port/driver.js'
import { ReceivedInbox } from '../../../../src/phone/received/received-inbox.js'
import { FakeClock } from '../../../util/async/fake-clock.js'
import type { Script } from './scripted-modem.js'
import { openModem } from './serve-modem.js'

const never = new AbortController().signal
const message = { id: 'm1', destination: '+12025550123', text: 'Hello' }
const hello = '07917283010010F5040BC87238880900F10000993092516195800AE8329BFD4697D9EC37'
const report = '00062A0B912120550521F3621112214365006211122143750046'
const submit = '0011000B912120550521F30000AA05E8329BFD06'

async function openListening(script: Script = {}, listener: Partial<DriverListener> = {}) {
  const clock = new FakeClock()
  const { modem, driver } = await openModem(script, { reports: 'yes' }, { clock })
  const events: unknown[] = []
  const onEvent = (event: unknown): void => void events.push(event)
  const inbox = new ReceivedInbox({ forward: false, clock, onEvent })
  driver.listen?.({
    onText: async text => await inbox.onText(text),
    onReceipt: ({ to, state }) => onEvent({ event: 'reported', to, state }),
    onUndecodable: async received => await inbox.onUndecodable(received),
    ...listener,
  })
  const watch = driver.watches?.find(each => each.name.includes('memory'))
  return { clock, modem, driver, events, watch }
}

describe('the memories of a modem', () => {
  it('are all read at the start, and the one before is restored', async () => {
    const { modem, driver, events } = await openListening({ memories: ['SM', 'ME', 'SR'] })
    modem.storage.get('SM').set(1, hello)
    modem.storage.get('ME').set(1, hello.replace('E8329B', 'E9329B'))
    modem.storage.get('SR').set(4, report)
    await driver.health?.()
    await expect.poll(() => events).toHaveLength(3)
    await expect
      .poll(() => [...modem.storage.memories.values()].map(each => each.size))
      .toEqual([0, 0, 0])
    await expect.poll(() => modem.storage.present).toBe('SM')
  })

  it('a text is read from the memory that its announcement names', async () => {
    const { modem, driver, events } = await openListening()
    await driver.send(message, never)
    modem.storage.get('SM').set(3, `3 ${submit}`)
    modem.storage.get('ME').set(3, hello)
    modem.say('+CMTI: "ME",3')
    await expect.poll(() => events).toMatchObject([{ event: 'received', text: 'hellohello' }])
    await expect.poll(() => modem.storage.present).toBe('SM')
    expect([modem.storage.get('SM').size, modem.storage.get('ME').size]).toEqual([1, 0])
  })

  it('a modem without a choice of memories is read as it is', async () => {
    const answers = { 'AT+CPMS?': ['ERROR'], 'AT+CPMS=?': ['ERROR'] }
    const { modem, driver, events } = await openListening({ answers })
    modem.stored.set(1, hello)
    await driver.health?.()
    await expect.poll(() => events).toHaveLength(1)
    await expect.poll(() => modem.stored.size).toBe(0)
    expect(modem.commands.filter(each => each.startsWith('AT+CPMS="'))).toEqual([])
  })

  it('a memory that an earlier session left selected is not the one to restore', async () => {
    const { modem, driver, events } = await openListening()
    await driver.send(message, never)
    await expect.poll(() => modem.commands.filter(each => each === 'AT+CPMS?')).toHaveLength(2)
    modem.storage.answer('AT+CPMS="ME"')
    modem.hangUp()
    await expect.poll(() => modem.lines).toBe(0)
    modem.stored.set(2, hello)
    await driver.send(message, never)
    await expect.poll(() => events).toHaveLength(1)
    await expect.poll(() => modem.storage.present).toBe('SM')
  })

  it('drafts, sent texts and invalid PDUs stay; the latter are reported once', async () => {
    const { modem, driver, clock, events, watch } = await openListening()
    const kept = new Map([
      [1, `2 ${submit}`],
      [2, `3 ${submit}`],
      [3, `2 ${hello}`],
      [4, '0 0004AA'],
      [5, `1 ${submit}`],
    ])
    for (const [index, text] of kept) modem.stored.set(index, text)
    modem.stored.set(6, `1 ${hello}`)
    await driver.send(message, never)
    const stop = new AbortController()
    let checks = 0
    const watched = watch?.run(() => (checks += 1), stop.signal)
    for (let n = 1; n <= 3; n += 1) {
      await expect.poll(() => checks).toBe(n)
      await expect.poll(() => clock.pending).toBe(1)
      clock.advance(60_000)
    }
    stop.abort()
    await watched
    expect(new Map(modem.stored)).toEqual(kept)
    expect(events).toMatchObject([
      { event: 'undecodable', hex: '0004AA' },
      { event: 'undecodable', hex: submit },
      { event: 'received', text: 'hellohello' },
    ])
  })

  it('a text that cannot be deleted does not hold back those behind it', async () => {
    const { modem, driver, events } = await openListening({ answers: { 'AT+CMGD=1': ['ERROR'] } })
    modem.stored.set(1, hello)
    modem.stored.set(2, hello.replace('E8329B', 'E9329B'))
    await driver.health?.()
    await expect.poll(() => events).toHaveLength(2)
    await expect.poll(() => [...modem.stored.keys()]).toEqual([1])
  })
})

describe('a full memory', () => {
  it('is trouble of the watch and of health until it has space again', async () => {
    const { modem, driver, clock, watch } = await openListening({ total: 2 })
    modem.stored.set(1, `2 ${submit}`).set(2, `3 ${submit}`)
    await driver.send(message, never)
    const words = 'memory SM is full (2 of 2)'
    await expect(watch?.run(() => {}, never)).rejects.toMatchObject({
      kind: 'trouble',
      message: expect.stringContaining(words),
    })
    expect(await driver.health?.()).toEqual({ ok: false, detail: expect.stringContaining(words) })
    expect(await driver.send(message, never)).toMatchObject({ parts: 1 })
    modem.stored.delete(2)
    const stop = new AbortController()
    let checks = 0
    const again = watch?.run(() => (checks += 1), stop.signal)
    await expect.poll(() => checks).toBe(1)
    modem.stored.set(2, `3 ${submit}`)
    await expect.poll(() => clock.pending).toBe(1)
    clock.advance(60_000)
    await expect(again).rejects.toMatchObject({ kind: 'trouble' })
    modem.stored.delete(2)
    const last = watch?.run(() => (checks += 1), stop.signal)
    await expect.poll(() => checks).toBe(2)
    stop.abort()
    await last
    expect(await driver.health?.()).toMatchObject({ ok: true })
  })

  it.each(['^SMMEMFULL: "SM"', '+QIND: "smsfull","SM"', '+CIEV: "SMSFULL",1'])(
    '%s has it checked at once',
    async line => {
      const { modem, driver, watch } = await openListening({ total: 1 })
      await driver.send(message, never)
      let checks = 0
      const watched = expect(watch?.run(() => (checks += 1), never)).rejects.toThrow(/is full/)
      await expect.poll(() => checks).toBe(1)
      modem.stored.set(1, `2 ${submit}`)
      modem.say(line)
      await watched
    },
  )

  it('+CMS ERROR: 322 says it for a modem without counts', async () => {
    const { modem, driver, watch } = await openListening({
      react: () => ({ says: '+CMS ERROR: 322' }),
      answers: { 'AT+CPMS?': ['ERROR'] },
    })
    await driver.health?.()
    await expect.poll(() => modem.commands).toContain('AT+CMGL=4')
    const watched = expect(watch?.run(() => {}, never)).rejects.toThrow(/322 \(memory full\)/)
    await expect(driver.send(message, never)).rejects.toMatchObject({ kind: 'unknown' })
    await watched
  })
})

describe('delivery receipts', () => {
  const receipt = {
    to: '+12025550123',
    state: 'expired',
    networkId: '25550123/42',
    reason: 'status 70 (validity period expired)',
  }

  it('name the part by number and reference', async () => {
    const receipts: unknown[] = []
    const onReceipt = (each: unknown): void => void receipts.push(each)
    const { modem, driver } = await openListening({}, { onReceipt })
    for (let n = 0; n < 41; n += 1) await driver.send(message, never)
    expect(await driver.send(message, never)).toEqual({ parts: 1, networkIds: ['25550123/42'] })
    modem.say('+CDS: 25', report)
    await expect.poll(() => receipts).toEqual([{ ...receipt, at: expect.any(Number) }])
  })

  it.each([
    ['stored', 'AT+CNMA', async () => {}],
    ['not stored', 'AT+CNMA=2', async () => await Promise.reject(new Error('disk full'))],
  ])('one that is %s is answered with %s', async (_, answer, onReceipt) => {
    let finish = () => {}
    const before = new Promise<void>(resolve => {
      finish = resolve
    })
    const { modem, driver } = await openListening(
      {},
      {
        onReceipt: async () => {
          await before
          await onReceipt()
        },
      },
    )
    await driver.send(message, never)
    modem.say('+CDS: 25', report)
    await driver.send(message, never)
    const acknowledged = () => modem.commands.filter(each => each.startsWith('AT+CNMA'))
    expect(acknowledged()).toEqual([])
    finish()
    await expect.poll(acknowledged).toEqual([answer])
  })

  it('a modem that cannot wait for the acknowledgement stores them', async () => {
    const receipts: unknown[] = []
    const { modem, driver } = await openListening(
      { answers: { 'AT+CSMS=1': ['ERROR'] }, memories: ['SM', 'SR'] },
      { onReceipt: each => void receipts.push(each) },
    )
    await driver.send(message, never)
    expect(modem.commands).toContain('AT+CNMI=2,1,0,2,0')
    modem.storage.get('SR').set(1, report)
    modem.say('+CDSI: "SR",1')
    await expect.poll(() => receipts).toMatchObject([receipt])
    await expect.poll(() => modem.storage.get('SR').size).toBe(0)
    expect(modem.commands).not.toContain('AT+CNMA')
  })
})
