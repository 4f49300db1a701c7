import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Driver } from '../../../../src/phone/driver-port/driver.js'
import { createDriver } from '../../../../src/phone/drivers/driver-registry.js'
import { ReceivedInbox } from '../../../../src/phone/received/received-inbox.js'
import { createClock } from '../../../../src/util/async/clock.js'
import { overTcp } from './over-tcp.js'
import { type Reaction, type Script, ScriptedModem } from './scripted-modem.js'

const never = new AbortController().signal
const message = { id: 'm1', destination: '+12025550123', text: 'Hello' }

async function setUp(script: Script = {}, options: Record<string, string> = {}) {
  const modem = new ScriptedModem(script)
  const driver = createDriver('modem', { device: await overTcp(modem), ...options })
  onTestFinished(async () => await driver[Symbol.asyncDispose]())
  return { modem, driver }
}

function sendText(driver: Driver, text: string) {
  return driver.send({ ...message, text }, never)
}

describe('sending', () => {
  it('makes the modem ready once, and hands the text over', async () => {
    const { modem, driver } = await setUp()
    expect(await driver.send(message, never)).toEqual({ parts: 1 })
    expect(await sendText(driver, 'again')).toEqual({ parts: 1 })
    expect(modem.sent.map(({ to, text }) => [to, text])).toEqual([
      ['+12025550123', 'Hello'],
      ['+12025550123', 'again'],
    ])
    expect(modem.commands.filter(each => each === 'AT+CMGF=0')).toHaveLength(1)
  })

  it('a long text in parts under one reference, each text under another', async () => {
    const { modem, driver } = await setUp()
    const long = '€'.repeat(200)
    expect(await sendText(driver, long)).toEqual({ parts: 3 })
    expect(await sendText(driver, `${long}!`)).toEqual({ parts: 3 })
    expect(modem.sent.map(each => each.text).join('')).toBe(`${long}${long}!`)
    const references = modem.sent.map(each => each.place?.reference)
    expect(new Set(references.slice(0, 3)).size).toBe(1)
    expect(references[3]).not.toBe(references[0])
  })

  it.each<[string, Script]>([
    ['an echo', { echoes: true }],
    ['bytes one by one', { dribbles: true }],
    ['lines of its own in mid-answer', { says: ['+CREG: 1', 'RING', '^RSSI:20', '+CMTI: "SM",9'] }],
  ])('whatever the line does: %s', async (_, script) => {
    const { modem, driver } = await setUp(script)
    expect(await sendText(driver, 'x'.repeat(161))).toEqual({ parts: 2 })
    expect(modem.sent.map(each => each.text).join('')).toBe('x'.repeat(161))
  })

  it('texts at the same time go one after the other', async () => {
    const { modem, driver } = await setUp({ says: ['+CREG: 1'] })
    const texts = Array.from({ length: 20 }, (_, at) => `text ${at}`)
    await Promise.all(texts.map(text => sendText(driver, text)))
    expect(modem.sent.map(each => each.text)).toEqual(texts)
    expect(modem.lines).toBe(1)
  })
})

describe('what goes wrong', () => {
  it.each<[Reaction, string, string]>([
    [{ says: '+CMS ERROR: 28' }, 'fail', 'CMS ERROR: 28 (unidentified subscriber)'],
    [{ says: '+CMS ERROR: 42' }, 'trouble', 'network congested'],
    [{ says: '+CMS ERROR: 332' }, 'unknown', 'did not answer in time'],
    [{ says: '+CMS ERROR: 500' }, 'retry', 'CMS ERROR: 500'],
    [{ says: '+CME ERROR: 30' }, 'trouble', 'no network'],
    [{ says: '+CMS ERROR: memory full' }, 'retry', 'memory full'],
    [{ says: 'ERROR' }, 'retry', 'answered ERROR'],
    [{ goes: 'hangs up', sent: false }, 'unknown', 'closed'],
    [{ goes: 'hangs up', sent: true }, 'unknown', 'closed'],
    [{ goes: 'silent', sent: true }, 'unknown', 'did not answer'],
  ])('%j means %s', async (reaction, kind, words) => {
    const { modem, driver } = await setUp(
      { react: (_, n) => (n === 0 ? reaction : 'ok') },
      { timeout: '1' },
    )
    await expect(driver.send(message, never)).rejects.toMatchObject({
      kind,
      message: expect.stringContaining(words),
    })
    expect(await sendText(driver, 'later')).toEqual({ parts: 1 })
    expect(modem.sent.at(-1)?.text).toBe('later')
  })

  it('nobody knows what becomes of a text of which parts were sent', async () => {
    const { driver } = await setUp({ react: (_, n) => (n === 1 ? { says: 'ERROR' } : 'ok') })
    await expect(sendText(driver, 'x'.repeat(161))).rejects.toMatchObject({
      kind: 'unknown',
      message: expect.stringContaining('Part 2 of 2 was not sent'),
    })
  })

  it('a text that was not handed over is trouble, not a failure', async () => {
    const { driver } = await setUp({ answers: { 'AT+CMGS=18': ['+CMS ERROR: 310'] } })
    await expect(driver.send(message, never)).rejects.toMatchObject({ kind: 'trouble' })
  })

  it('a modem that is not there, or does not answer, is trouble', async () => {
    const gone = createDriver('modem', { device: 'tcp://127.0.0.1:1' })
    await expect(gone.send(message, never)).rejects.toMatchObject({ kind: 'trouble' })
    const device = createDriver('modem', { device: '/dev/no-such-modem' })
    await expect(device.send(message, never)).rejects.toMatchObject({
      kind: 'trouble',
      message: expect.stringContaining('/dev/no-such-modem cannot be opened'),
    })
  })

  it('a modem that went away and came back is used again', async () => {
    const { modem, driver } = await setUp()
    await driver.send(message, never)
    modem.hangUp()
    await expect.poll(() => modem.lines).toBe(0)
    await sleep(0)
    expect(await sendText(driver, 'back')).toEqual({ parts: 1 })
    expect(modem.sent.map(each => each.text)).toEqual(['Hello', 'back'])
  })

  it('nothing is sent after a stop', async () => {
    const { modem, driver } = await setUp()
    await expect(driver.send(message, AbortSignal.abort())).rejects.toMatchObject({
      kind: 'trouble',
    })
    expect(modem.sent).toEqual([])
  })
})

describe('the SIM', () => {
  it('is unlocked with its PIN', async () => {
    const { modem, driver } = await setUp({ pin: '1234' }, { pin: '1234' })
    expect(await driver.send(message, never)).toEqual({ parts: 1 })
    expect(modem.commands).toContain('AT+CPIN="1234"')
  })

  it('is unlocked with the PIN of the environment', async () => {
    const modem = new ScriptedModem({ pin: '1234' })
    const env = { SMSRELAY_SIM_PIN: '1234' }
    const driver = createDriver('modem', { device: await overTcp(modem) }, { env })
    onTestFinished(async () => await driver[Symbol.asyncDispose]())
    expect(await driver.send(message, never)).toEqual({ parts: 1 })
  })

  it('that wants a PIN is told', async () => {
    const { driver } = await setUp({ pin: '1234' })
    await expect(driver.send(message, never)).rejects.toMatchObject({
      kind: 'trouble',
      message: expect.stringContaining('--option pin='),
    })
  })

  it('gets a wrong PIN once', async () => {
    const { modem, driver } = await setUp({ pin: '1234' }, { pin: '9999' })
    for (let time = 0; time < 5; time += 1) {
      await expect(driver.send(message, never)).rejects.toMatchObject({ kind: 'trouble' })
    }
    expect(modem.commands.filter(each => each.startsWith('AT+CPIN='))).toHaveLength(1)
  })

  it('that is locked for good is told', async () => {
    const { driver } = await setUp({ answers: { 'AT+CPIN?': ['+CPIN: SIM PUK', 'OK'] } })
    await expect(driver.send(message, never)).rejects.toThrow('SIM PUK')
  })
})

describe('health', () => {
  it('tells signal and network', async () => {
    const { driver } = await setUp()
    expect(await driver.health?.()).toEqual({
      ok: true,
      detail: 'Signal -73 dBm, in the home network.',
    })
  })

  it('is bad without a network', async () => {
    const { driver } = await setUp({ answers: { 'AT+CREG?': ['+CREG: 0,2', 'OK'] } })
    expect(await driver.health?.()).toMatchObject({ ok: false })
  })
})

describe('what comes in', () => {
  const hello = '07917283010010F5040BC87238880900F10000993092516195800AE8329BFD4697D9EC37'
  const report = '00062A0B912120550521F3621112214365006211122143750000'

  async function listening(script: Script = {}) {
    const { modem, driver } = await setUp(script)
    const told: unknown[] = []
    driver.listen?.(
      new ReceivedInbox({
        forward: false,
        clock: createClock(),
        onEvent: event => {
          if (event.event === 'received') told.push([event.from, event.text])
          if (event.event === 'reported') told.push([event.to, event.state])
        },
      }),
    )
    return { modem, driver, told }
  }

  it('is told however the modem tells it, and taken off the SIM', async () => {
    const { modem, driver, told } = await listening()
    modem.stored.set(3, hello)
    await driver.health?.()
    await expect.poll(() => told).toEqual([['27838890001', 'hellohello']])
    modem.stored.set(4, hello)
    modem.say('+CMTI: "SM",4')
    await expect.poll(() => told).toHaveLength(2)
    modem.say('+CMT: ,28', hello)
    modem.say('+CDS: 25', report)
    await expect.poll(() => told).toHaveLength(4)
    expect(told).toContainEqual(['+12025550123', 'delivered'])
    await expect.poll(() => [...modem.stored]).toEqual([])
  })

  it('parts are put together in their order', async () => {
    const { modem, driver, told } = await listening()
    await driver.health?.()
    const part = (number: number, text: string) =>
      `00440B912120550521F3000862111221436500${(6 + text.length * 2).toString(16).padStart(2, '0')}0500030902${`0${number}`}${Buffer.from(text, 'utf16le').swap16().toString('hex')}`
    modem.say('+CMT: ,30', part(2, '你'))
    modem.say('+CMT: ,30', part(2, '你'))
    modem.say('+CMT: ,30', part(1, 'to '))
    await expect.poll(() => told).toEqual([['+12025550123', 'to 你']])
  })

  it('stays on the SIM until it is kept, and when it cannot be is read again with the next', async () => {
    const { modem, driver } = await setUp()
    const given: string[] = []
    const keeps: (() => Promise<void>)[] = [
      async () => await Promise.reject(new Error('disk full')),
      async () => expect([...modem.stored.keys()]).toEqual([3, 4]),
    ]
    const received = async ({ ref = '' }: { ref?: string }) => {
      given.push(ref.slice(0, 1))
      await keeps.shift()?.()
    }
    driver.listen?.({ onText: received, onReceipt: () => {} })
    modem.stored.set(3, hello)
    await driver.health?.()
    await expect.poll(() => given).toEqual(['3'])
    modem.stored.set(4, hello)
    modem.say('+CMTI: "SM",4')
    await expect.poll(() => [...modem.stored]).toEqual([])
    expect(given).toEqual(['3', '3', '4'])
  })

  it('what waits on the SIM is told in the order in which it came, whatever its places', async () => {
    const { modem, driver, told } = await listening()
    modem.stored.set(1, deliver('c', '30'))
    modem.stored.set(2, deliver('a', '10'))
    modem.stored.set(3, deliver('b', '20'))
    await driver.health?.()
    await expect.poll(() => told.map(each => (each as string[])[1])).toEqual(['a', 'b', 'c'])
  })

  it('what comes to a place that was just emptied is not deleted unread', async () => {
    const { modem, driver } = await setUp()
    const texts: string[] = []
    let keep = () => {}
    const kept = new Promise<void>(resolve => {
      keep = resolve
    })
    const received = async ({ text }: { text: string }) => {
      texts.push(text)
      await kept
    }
    driver.listen?.({ onText: received, onReceipt: () => {} })
    modem.stored.set(1, deliver('a', '10'))
    await driver.health?.()
    await expect.poll(() => texts).toEqual(['a'])
    modem.say('+CMTI: "SM",1')
    await driver.health?.()
    const remove = modem.stored.delete.bind(modem.stored)
    modem.stored.delete = place => {
      modem.stored.delete = remove
      remove(place)
      modem.stored.set(place, deliver('b', '20'))
      return true
    }
    keep()
    await expect.poll(() => texts).toContain('b')
    await expect.poll(() => [...modem.stored]).toEqual([])
  })

  it('what cannot be read is left aside', async () => {
    const { modem, driver, told } = await listening()
    await driver.health?.()
    modem.say('+CMT: ,30', 'no PDU')
    modem.say('+CMT: ,30', hello)
    await expect.poll(() => told).toHaveLength(1)
  })
})

/** A text of one character that came in this second, its digits swapped. */
function deliver(text: string, second: string): string {
  const hex = Buffer.from(text, 'utf16le').swap16().toString('hex')
  return `00040B912120550521F300086211122143${[...second].reverse().join('')}0002${hex}`.toUpperCase()
}

describe('options', () => {
  it.each([
    [{}, 'device'],
    [{ device: 'http://x' }, 'tcp://HOST:PORT'],
    [{ device: 'tcp://x' }, 'tcp://HOST:PORT'],
    [{ device: '/dev/x', pin: 'abc' }, 'pin'],
    [{ device: '/dev/x', smsc: 'x' }, 'smsc'],
    [{ device: '/dev/x', baud: '1' }, 'baud'],
    [{ device: '/dev/x', reports: 'maybe' }, 'reports'],
  ])('%j is refused', (options, words) => {
    expect(() => createDriver('modem', options as Record<string, string>)).toThrow(words)
  })
})
