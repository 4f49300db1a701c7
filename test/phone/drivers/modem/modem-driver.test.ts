import { describe, expect, it, onTestFinished } from 'vitest'
import type { Driver } from '../../../../src/phone/driver-port/driver.js'
import { createDriver } from '../../../../src/phone/drivers/driver-registry.js'
import { createClock } from '../../../../src/util/async/clock.js'
import { temporaryFolder } from '../../../temporary-folder.js'
import { FakeClock } from '../../../util/async/fake-clock.js'
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
    [{ says: '+CMS ERROR: 300' }, 'unknown', 'ME failure'],
    [{ says: '+CMS ERROR: 304' }, 'retry', 'invalid PDU mode parameter'],
    [{ says: '+CMS ERROR: 310' }, 'trouble', 'SIM not inserted'],
    [{ says: '+CMS ERROR: 311' }, 'trouble', 'SIM PIN required'],
    [{ says: '+CMS ERROR: 322' }, 'unknown', 'memory full'],
    [{ says: '+CMS ERROR: 330' }, 'trouble', 'SMSC address unknown'],
    [{ says: '+CMS ERROR: 331' }, 'trouble', 'no network service'],
    [{ says: '+CMS ERROR: no network service' }, 'trouble', 'CMS ERROR: 331'],
    [{ says: '+CMS ERROR: 332' }, 'unknown', 'CMS ERROR: 332'],
    [{ says: '+CMS ERROR: 500' }, 'unknown', 'CMS ERROR: 500'],
    [{ says: '+CMS ERROR: 999' }, 'unknown', 'CMS ERROR: 999'],
    [{ says: '+CME ERROR: 10' }, 'trouble', 'SIM not inserted'],
    [{ says: '+CME ERROR: 30' }, 'trouble', 'no network service'],
    [{ says: '+CME ERROR: 31' }, 'unknown', 'network timeout'],
    [{ says: '+CME ERROR: (U)SIM failure' }, 'trouble', 'CME ERROR: 13'],
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

  it.each(['+CMS ERROR: 314', '+CMS ERROR: 515', '+CME ERROR: 14', '+CME ERROR: SIM busy'])(
    'after %s the part is sent again soon, in its place',
    async says => {
      const clock = new FakeClock()
      const react = (_: unknown, n: number): Reaction => (n === 1 ? { says } : 'ok')
      const { modem, driver } = await openModem({ react }, {}, { clock })
      const text = 'x'.repeat(300)
      const sending = sendText(driver, text)
      await expect.poll(() => [modem.sent.length, clock.pending]).toEqual([1, 1])
      clock.advance(3000)
      expect(await sending).toEqual({ parts: 2 })
      expect(modem.sent.map(each => each.text).join('')).toBe(text)
    },
  )

  it('a modem that stays busy is trouble, and its health is not good', async () => {
    const { driver } = await openModem(
      { react: () => ({ says: '+CMS ERROR: 515' }) },
      {},
      { clock: { ...createClock(), sleep: async () => {} } },
    )
    await expect(driver.send(message, never)).rejects.toMatchObject({ kind: 'trouble' })
    expect(await driver.health?.()).toMatchObject({
      ok: false,
      detail: expect.stringContaining('busy'),
    })
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
    ['+CMS ERROR: 304', 'trouble'],
    ['+CMS ERROR: 500', 'trouble'],
    ['ERROR', 'trouble'],
  ])('%s before the prompt is %s', async (says, kind) => {
    const { modem, driver } = await openModem({ answers: { 'AT+CMGS=18': [says] } })
    await expect(driver.send(message, never)).rejects.toMatchObject({ kind })
    expect(modem.sent).toEqual([])
  })

  it('after an unknown result, a modem without a network gets no further text', async () => {
    const react = () => ({ says: '+CMS ERROR: 332' })
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

describe('an answer', () => {
  it.each([
    ['RING', '+CLIP: "+12025550199",145', 'RING', 'NO CARRIER'],
    ['BUSY', 'NO ANSWER', 'NO DIALTONE', '^CEND:1,0,104,16', 'CONNECT 9600'],
    ['+CMT: ,28', '+CREG: 5', '07917283010010F5040BC87238880900F10000993092516195800AE8329BFD06'],
  ])('is not one of the lines of calls and networks: %s', async (...says) => {
    const { modem, driver } = await openModem({ says })
    expect(await driver.send(message, never)).toEqual({ parts: 1 })
    expect(modem.sent).toHaveLength(1)
  })

  it.each(['> ', '\r\n>\r\n', '\r\n> +CMTI: "SM",9\r\n', '\r\nOK\r\n\r\n> '])(
    'begins with the prompt, here %j',
    async prompt => {
      const { modem, driver } = await openModem({ prompt })
      expect(await driver.send(message, never)).toEqual({ parts: 1 })
      expect(modem.sent).toHaveLength(1)
    },
  )

  it.each([['+CMGS: 7'], ['+CMGS: 7', '+CMS ERROR: 500']])(
    '%s without OK means that the network has the text',
    async (...lines) => {
      const clock = new FakeClock()
      const react = () => ({ says: lines.join('\r\n') })
      const { modem, driver } = await openModem({ react }, { reports: 'yes' }, { clock })
      const sending = driver.send(message, never)
      if (lines.length === 1) {
        await expect.poll(() => modem.commands.at(-1)).toMatch(/CMGS/)
        await expect.poll(() => clock.pending).toBe(1)
        clock.advance(5000)
      }
      expect(await sending).toEqual({ parts: 1, networkIds: ['25550123/7'] })
      modem.setScript({})
      modem.say('OK')
      expect(await sendText(driver, 'later')).toMatchObject({ parts: 1 })
      expect(modem.sent.map(each => each.text)).toEqual(['later'])
    },
  )

  it('+CMGS after OK has the id of the text', async () => {
    const react = () => ({ says: 'OK\r\n\r\n+CMGS: 9' })
    const { driver } = await openModem({ react }, { reports: 'yes' })
    expect(await driver.send(message, never)).toMatchObject({ networkIds: ['25550123/9'] })
  })
})

describe('a modem that starts again', () => {
  it.each([
    ...['RDY', 'SYSSTART', '^SYSSTART', 'APP RDY', '*ATREADY: 1', '+CPIN: READY', '+CPIN: SIM PIN'],
    ...['Call Ready', 'SMS Ready', 'PB DONE', '+QIND: SMS DONE', '+CFUN: 1', 'NORMAL POWER DOWN'],
  ])('and says %s is prepared before the next text', async line => {
    const { modem, driver } = await openModem({ pin: '1234' }, { pin: '1234' })
    await driver.send(message, never)
    modem.restart(line)
    // A command whose answer came later than the line.
    await driver.readNetwork?.()
    expect(await sendText(driver, 'again')).toEqual({ parts: 1 })
    expect([modem.sent.map(each => each.text), modem.misread]).toEqual([['Hello', 'again'], []])
    expect(modem.opened).toBe(1)
  })

  it('without a word is prepared because it says that it is in text mode', async () => {
    const clock = new FakeClock()
    const { modem, driver } = await openModem({}, {}, { clock })
    await driver.send(message, never)
    modem.restart()
    clock.advance(10_000)
    expect(await sendText(driver, 'again')).toEqual({ parts: 1 })
    expect([modem.sent.length, modem.misread]).toEqual([2, []])
  })

  it('without a word is prepared because its SIM is locked', async () => {
    const { modem, driver } = await openModem({ pin: '1234' }, { pin: '1234' })
    await driver.send(message, never)
    modem.restart()
    const answers = { 'AT+CMGS=18': ['+CMS ERROR: 311'] }
    modem.setScript({ pin: '1234', answers })
    modem.ignores = command => {
      if (command === 'AT+CPIN="1234"') modem.setScript({ pin: '1234' })
      return false
    }
    expect(await driver.send(message, never)).toEqual({ parts: 1 })
    expect([modem.sent.length, modem.misread]).toEqual([2, []])
  })

  it('that does not leave text mode gets no text', async () => {
    const { modem, driver } = await openModem({ answers: { 'AT+CMGF=0': ['OK'] } })
    await expect(driver.send(message, never)).rejects.toMatchObject({
      kind: 'trouble',
      message: expect.stringContaining('PDU mode'),
    })
    expect([modem.sent, modem.misread]).toEqual([[], []])
  })

  it('while it has a text says nothing about that text', async () => {
    const { driver } = await openModem({ react: () => ({ says: 'RDY' }) })
    await expect(driver.send(message, never)).rejects.toMatchObject({
      kind: 'unknown',
      message: 'The modem restarted.',
    })
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

  const wrong = { pin: '9999' }
  const countPins = (modem: ScriptedModem) =>
    modem.commands.filter(each => each.startsWith('AT+CPIN=')).length
  const rejected = { kind: 'trouble', message: expect.stringContaining('PIN') }

  it.each([['ERROR'], ['+CME ERROR: 16'], ['+CME ERROR: incorrect password'], ['OK']])(
    'never gets a PIN again that it answered with %s, by whatever process',
    async answer => {
      const clock = { ...createClock(), sleep: async () => {} }
      const stateDir = await temporaryFolder()
      const modem = new ScriptedModem({ pin: '1234', answers: { 'AT+CPIN="9999"': [answer] } })
      const device = await serveModem(modem)
      const open = (pin: string) => {
        const driver = createDriver('modem', { device, pin }, { clock, stateDir })
        onTestFinished(async () => await driver[Symbol.asyncDispose]())
        return driver
      }
      const first = open('9999')
      for (let time = 0; time < 3; time += 1) {
        await expect(first.send(message, never)).rejects.toMatchObject(rejected)
      }
      await first[Symbol.asyncDispose]()
      await expect(open('9999').send(message, never)).rejects.toMatchObject(rejected)
      expect(countPins(modem)).toBe(1)
      expect(await open('1234').send(message, never)).toEqual({ parts: 1 })
    },
  )

  it('is known by its own number, on whatever device', async () => {
    const stateDir = await temporaryFolder()
    const answers = { 'AT+CRSM=176,12258,0,0,10': ['+CRSM: 144,0,"98940100001234567890"', 'OK'] }
    const one = await openModem({ pin: '1234', answers }, wrong, { stateDir })
    const other = await openModem({ pin: '1234', answers }, wrong, { stateDir })
    const third = await openModem({ pin: '1234' }, wrong, { stateDir })
    for (const { driver } of [one, other, third]) {
      await expect(driver.send(message, never)).rejects.toMatchObject(rejected)
    }
    expect([one, other, third].map(each => countPins(each.modem))).toEqual([1, 0, 1])
  })

  it.each([['+CPINR: SIM PIN,1,3'], ['+CPINR: SIM PUK,10,10', '+CPINR: SIM PIN,0,3']])(
    'with the last try left gets no PIN: %s',
    async (...lines) => {
      const answers = { 'AT+CPINR': [...lines, 'OK'] }
      const { modem, driver } = await openModem({ pin: '1234', answers }, { pin: '1234' })
      await expect(driver.send(message, never)).rejects.toMatchObject(rejected)
      expect(countPins(modem)).toBe(0)
    },
  )

  it('a wrong PIN that cannot be written is remembered in memory, which is said', async () => {
    const { modem, driver } = await openModem({ pin: '1234' }, wrong, { stateDir: '/proc/none' })
    for (let time = 0; time < 2; time += 1) {
      await expect(driver.send(message, never)).rejects.toThrow(/in memory/)
    }
    expect(countPins(modem)).toBe(1)
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
