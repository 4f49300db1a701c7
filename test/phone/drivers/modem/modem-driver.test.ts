import { describe, expect, it, onTestFinished } from 'vitest'
import type { Driver } from '../../../../src/phone/driver-port/driver.js'
import { createDriver } from '../../../../src/phone/drivers/driver-registry.js'
import { expectUsageError } from '../usage-error.js'
import { type Reaction, type Script, ScriptedModem } from './scripted-modem.js'
import { openModem, serveModem } from './serve-modem.js'

const never = new AbortController().signal
const message = { id: 'm1', destination: '+12025550123', text: 'Hello' }

function sendText(driver: Driver, text: string) {
  return driver.send({ ...message, text }, never)
}

describe('sending', () => {
  it('prepares the modem once for several texts', async () => {
    const { modem, driver } = await openModem()
    expect(await driver.send(message, never)).toEqual({ parts: 1 })
    expect(await sendText(driver, 'again')).toEqual({ parts: 1 })
    expect(modem.sent.map(({ to, text }) => [to, text])).toEqual([
      ['+12025550123', 'Hello'],
      ['+12025550123', 'again'],
    ])
    expect(modem.commands.filter(each => each === 'AT+CMGF=0')).toHaveLength(1)
  })

  it('the parts of a text have one reference, and each text has another', async () => {
    const { modem, driver } = await openModem()
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
    [
      'unsolicited lines within an answer',
      { says: ['+CREG: 1', 'RING', '^RSSI:20', '+CMTI: "SM",9'] },
    ],
  ])('a text is sent on a line with %s', async (_, script) => {
    const { modem, driver } = await openModem(script)
    expect(await sendText(driver, 'x'.repeat(161))).toEqual({ parts: 2 })
    expect(modem.sent.map(each => each.text).join('')).toBe('x'.repeat(161))
  })

  it('the commands of the option init come first, and one that fails is trouble', async () => {
    const { modem, driver } = await openModem({}, { init: 'AT^CURC=0 | AT+CFUN=1' })
    await driver.send(message, never)
    expect(modem.commands.slice(1, 6)).toEqual([
      ...['ATE0', 'AT+CMEE=1', 'AT^CURC=0', 'AT+CFUN=1', 'AT+CPIN?'],
    ])
    const bad = await openModem({ answers: { 'AT+X': ['ERROR'] } }, { init: 'AT+X' })
    await expect(bad.driver.send(message, never)).rejects.toMatchObject({
      kind: 'trouble',
      message: expect.stringContaining('AT+X'),
    })
  })

  it('the parts of a long text have a reference of 16 bits with long=udh16', async () => {
    const { modem, driver } = await openModem({}, { long: 'udh16' }, { random: () => 0.999 })
    expect(await sendText(driver, 'x'.repeat(305))).toEqual({ parts: 3 })
    expect(modem.sent.map(each => each.text).join('')).toBe('x'.repeat(305))
    expect(modem.sent[0]?.place?.reference).toBeGreaterThan(255)
  })

  it('the option national allows the tables of its languages', async () => {
    const { modem, driver } = await openModem({}, { national: 'turkish' })
    expect(await sendText(driver, 'ğ'.repeat(71))).toEqual({ parts: 1 })
    // The scripted modem knows the default alphabet only, in which the code of ğ is ø.
    expect(modem.sent.map(each => each.text)).toEqual(['ø'.repeat(71)])
    const plain = await openModem()
    expect(await sendText(plain.driver, 'ğ'.repeat(71))).toEqual({ parts: 2 })
  })

  it('concurrent texts are sent one after the other', async () => {
    const { modem, driver } = await openModem({ says: ['+CREG: 1'] })
    const texts = Array.from({ length: 20 }, (_, at) => `text ${at}`)
    await Promise.all(texts.map(text => sendText(driver, text)))
    expect(modem.sent.map(each => each.text)).toEqual(texts)
    expect(modem.lines).toBe(1)
  })
})

describe('failures', () => {
  it.each<[Reaction, string, string]>([
    [{ says: '+CMS ERROR: 1' }, 'fail', 'unassigned number'],
    [{ says: '+CMS ERROR: 28' }, 'fail', 'CMS ERROR: 28'],
    [{ says: '+CMS ERROR: 21' }, 'retry', 'rejected by the network'],
    [{ says: '+CMS ERROR: 42' }, 'trouble', 'CMS ERROR: 42'],
    [{ says: '+CMS ERROR: 77' }, 'retry', 'not sent'],
    [{ says: '+CMS ERROR: 127' }, 'retry', 'CMS ERROR: 127'],
    [{ says: '+CMS ERROR: 192' }, 'trouble', 'service centre busy'],
    [{ says: '+CMS ERROR: 195' }, 'fail', 'invalid destination'],
    [{ says: '+CMS ERROR: 197' }, 'unknown', 'duplicate'],
    [{ says: '+CMS ERROR: 255' }, 'retry', 'CMS ERROR: 255'],
    [{ says: '+CMS ERROR: 304' }, 'unknown', 'CMS ERROR: 304'],
    [{ says: '+CMS ERROR: 331' }, 'unknown', 'CMS ERROR: 331'],
    [{ says: '+CMS ERROR: 332' }, 'unknown', 'CMS ERROR: 332'],
    [{ says: '+CMS ERROR: 500' }, 'unknown', 'CMS ERROR: 500'],
    [{ says: '+CME ERROR: 30' }, 'unknown', 'CME ERROR: 30'],
    [{ says: '+CMS ERROR: memory full' }, 'unknown', 'memory full'],
    [{ says: 'ERROR' }, 'unknown', 'ERROR'],
    [{ goes: 'hangs up', sent: false }, 'unknown', 'closed'],
    [{ goes: 'hangs up', sent: true }, 'unknown', 'closed'],
    [{ goes: 'silent', sent: true }, 'unknown', 'answer'],
  ])('%j after the text is %s', async (reaction, kind, value) => {
    const { modem, driver } = await openModem(
      { react: (_, n) => (n === 0 ? reaction : 'ok') },
      { timeout: '1' },
    )
    await expect(driver.send(message, never)).rejects.toMatchObject({
      kind,
      message: expect.stringContaining(value),
    })
    expect(await sendText(driver, 'later')).toEqual({ parts: 1 })
    expect(modem.sent.at(-1)?.text).toBe('later')
  })

  it('a text of which only some parts were sent is unknown', async () => {
    const { driver } = await openModem({ react: (_, n) => (n === 1 ? { says: 'ERROR' } : 'ok') })
    await expect(sendText(driver, 'x'.repeat(161))).rejects.toMatchObject({
      kind: 'unknown',
      message: expect.stringContaining('Part 2 of 2'),
    })
  })

  it.each([
    ['+CMS ERROR: 310', 'trouble'],
    ['+CMS ERROR: 332', 'trouble'],
    ['+CME ERROR: 30', 'trouble'],
    ['+CMS ERROR: 28', 'fail'],
    ['+CMS ERROR: 500', 'retry'],
    ['ERROR', 'retry'],
  ])('%s before the prompt is %s', async (says, kind) => {
    const { modem, driver } = await openModem({ answers: { 'AT+CMGS=18': [says] } })
    await expect(driver.send(message, never)).rejects.toMatchObject({ kind })
    expect(modem.sent).toEqual([])
  })

  it('after an unknown result, a modem without a network gets no further text', async () => {
    const react = () => ({ says: '+CMS ERROR: 331' })
    const { modem, driver } = await openModem({
      react,
      answers: { 'AT+CREG?': ['+CREG: 0,2', 'OK'] },
    })
    await expect(driver.send(message, never)).rejects.toMatchObject({ kind: 'unknown' })
    await expect(driver.send(message, never)).rejects.toMatchObject({
      kind: 'trouble',
      message: expect.stringContaining('looking for a network'),
    })
    modem.setScript({})
    expect(await driver.send(message, never)).toEqual({ parts: 1 })
    expect(modem.sent).toHaveLength(1)
  })

  it('a modem that cannot be opened is trouble', async () => {
    const unreachable = createDriver('modem', { device: 'tcp://127.0.0.1:1' })
    await expect(unreachable.send(message, never)).rejects.toMatchObject({ kind: 'trouble' })
    const device = createDriver('modem', { device: '/dev/no-such-modem' })
    await expect(device.send(message, never)).rejects.toMatchObject({
      kind: 'trouble',
      message: expect.stringContaining('/dev/no-such-modem'),
    })
  })

  it('a modem that is connected again is used again', async () => {
    const { modem, driver } = await openModem()
    await driver.send(message, never)
    modem.hangUp()
    await expect.poll(() => modem.lines).toBe(0)
    // The driver's end of the connection closes one turn later.
    await new Promise(resolve => setImmediate(resolve))
    expect(await sendText(driver, 'back')).toEqual({ parts: 1 })
    expect(modem.sent.map(each => each.text)).toEqual(['Hello', 'back'])
  })

  it('nothing is sent after a stop', async () => {
    const { modem, driver } = await openModem()
    await expect(driver.send(message, AbortSignal.abort())).rejects.toMatchObject({
      kind: 'trouble',
    })
    expect(modem.sent).toEqual([])
  })
})

describe('the SIM', () => {
  it('is unlocked with its PIN', async () => {
    const { modem, driver } = await openModem({ pin: '1234' }, { pin: '1234' })
    expect(await driver.send(message, never)).toEqual({ parts: 1 })
    expect(modem.commands).toContain('AT+CPIN="1234"')
  })

  it('is unlocked with the PIN of the environment', async () => {
    const modem = new ScriptedModem({ pin: '1234' })
    const env = { SMSRELAY_SIM_PIN: '1234' }
    const driver = createDriver('modem', { device: await serveModem(modem) }, { env })
    onTestFinished(async () => await driver[Symbol.asyncDispose]())
    expect(await driver.send(message, never)).toEqual({ parts: 1 })
  })

  it('without the PIN the error names the option', async () => {
    const { driver } = await openModem({ pin: '1234' })
    await expect(driver.send(message, never)).rejects.toMatchObject({
      kind: 'trouble',
      message: expect.stringContaining('--option pin='),
    })
  })

  it('a wrong PIN is tried only once', async () => {
    const { modem, driver } = await openModem({ pin: '1234' }, { pin: '9999' })
    for (let time = 0; time < 5; time += 1) {
      await expect(driver.send(message, never)).rejects.toMatchObject({ kind: 'trouble' })
    }
    expect(modem.commands.filter(each => each.startsWith('AT+CPIN='))).toHaveLength(1)
  })

  it('the error names the state of a locked SIM', async () => {
    const { driver } = await openModem({ answers: { 'AT+CPIN?': ['+CPIN: SIM PUK', 'OK'] } })
    await expect(driver.send(message, never)).rejects.toThrow('SIM PUK')
  })
})

describe('options', () => {
  it.each([
    [{}, 'device'],
    [{ device: 'http://x' }, 'tcp://HOST:PORT'],
    [{ device: 'tcp://x' }, 'tcp://HOST:PORT'],
    [{ device: '/dev/x', pin: 'abc' }, 'pin'],
    [{ device: '/dev/x', smsc: 'x' }, 'smsc'],
    [{ device: '/dev/x', baud: '1' }, 'baud'],
    [{ device: '/dev/x', reports: 'maybe' }, 'reports'],
    [{ device: '/dev/x', init: 'CFUN=1' }, 'init'],
    [{ device: '/dev/x', reset: 'restart' }, 'reset'],
    [{ device: '/dev/x', long: 'sar' }, 'long'],
    [{ device: 'serial:' }, 'serial:ID'],
  ])('%j is rejected', (options, name) => {
    expectUsageError(() => createDriver('modem', options as Record<string, string>), name)
  })
})
