import { describe, expect, it, onTestFinished } from 'vitest'
import { FakeClock } from '../../../util/async/fake-clock.js'
import type { Script } from './scripted-modem.js'
import { createModemClock, openModem } from './serve-modem.js'

const never = new AbortController().signal
const message = { id: 'm1', destination: '+12025550123', text: 'Hello' }

/** A modem and a clock: each time the modem ignores something, the driver's wait for it ends. */
async function openSilent(script: Script = {}, options: Record<string, string> = {}) {
  const clock = createModemClock()
  const { modem, driver } = await openModem(script, options, { clock })
  modem.onIgnored = () => setImmediate(() => clock.advance(60_000))
  return { clock, modem, driver }
}

describe('a silent modem', () => {
  it('is opened again after one text without an answer', async () => {
    const goes = { goes: 'silent', sent: false } as const
    const { modem, driver } = await openSilent({ react: (_, n) => (n === 0 ? goes : 'ok') })
    await expect(driver.send(message, never)).rejects.toMatchObject({ kind: 'unknown' })
    expect(await driver.send(message, never)).toEqual({ parts: 1 })
    expect([modem.opened, modem.lines]).toEqual([2, 1])
  })

  it('that reads a text after all is woken by Escape', async () => {
    const { modem, driver } = await openSilent()
    let left = 2
    modem.ignores = command => command === 'AT' && --left >= 0
    expect(await driver.send(message, never)).toEqual({ parts: 1 })
    expect(modem.opened).toBe(1)
  })

  it('that answers after ATZ is used', async () => {
    const { modem, driver } = await openSilent()
    modem.ignores = command => command === 'AT' && !modem.commands.includes('ATZ')
    expect(await driver.send(message, never)).toEqual({ parts: 1 })
    expect(modem.opened).toBe(1)
  })

  it('is opened again, then restarted, then used', async () => {
    const { modem, driver } = await openSilent()
    modem.ignores = () => !modem.commands.includes('AT+CFUN=1,1')
    for (const words of ['did not answer in time', 'did not answer in time', 'AT+CFUN=1,1']) {
      await expect(driver.send(message, never)).rejects.toMatchObject({
        kind: 'trouble',
        message: expect.stringContaining(words),
      })
    }
    expect(await driver.send(message, never)).toEqual({ parts: 1 })
    expect([modem.opened, modem.lines]).toEqual([4, 1])
  })

  it('waits for a restart only as long as the modem needs', async () => {
    const { modem, driver } = await openSilent({}, { reset: 'AT^RESET' })
    modem.ignores = () => true
    const errors: unknown[] = []
    for (let time = 0; time < 6; time += 1)
      await driver.send(message, never).catch(e => errors.push(e))
    expect(errors).toHaveLength(6)
    expect(errors.map(each => (each as { wait: number }).wait)).toEqual([
      ...[0, 0, 10_000, 0, 0, 10_000],
    ])
    expect(modem.commands.filter(each => each === 'AT^RESET')).toHaveLength(2)
  })

  it('is not restarted with reset=none', async () => {
    const { modem, driver } = await openSilent({}, { reset: 'none' })
    modem.ignores = () => true
    for (let time = 0; time < 4; time += 1) {
      await expect(driver.send(message, never)).rejects.toMatchObject({ kind: 'trouble' })
    }
    expect(modem.commands.filter(each => /CFUN/.test(each))).toEqual([])
    await expect.poll(() => modem.lines).toBe(0)
  })

  it('that answers AT, but not two texts in a row, is restarted', async () => {
    const { modem, driver } = await openSilent({ react: () => ({ goes: 'silent', sent: false }) })
    for (const kind of ['unknown', 'unknown', 'trouble']) {
      await expect(driver.send(message, never)).rejects.toMatchObject({ kind })
    }
    expect(modem.commands).toContain('AT+CFUN=1,1')
    modem.setScript({})
    expect(await driver.send(message, never)).toEqual({ parts: 1 })
  })

  it('that becomes silent while it is idle is noticed, and opened again', async () => {
    const { clock, modem, driver } = await openSilent()
    const stop = new AbortController()
    let worked = 0
    const watch = driver.watches?.[0]
    const run = async () => await watch?.run(() => (worked += 1), stop.signal)
    const watched = expect(run()).rejects.toMatchObject({ kind: 'trouble' })
    await expect.poll(() => worked).toBe(1)
    modem.ignores = () => true
    await expect.poll(() => clock.pending).toBe(1)
    clock.advance(30_000)
    await watched
    modem.ignores = () => false
    const again = run()
    await expect.poll(() => worked).toBe(2)
    stop.abort()
    await again
    expect([modem.opened, modem.lines]).toEqual([2, 1])
  })
})

describe('a modem that is watched', () => {
  async function openWatched(script: Script = {}, options: Record<string, string> = {}) {
    const clock = new FakeClock()
    const { sleep } = clock
    let sleeping = 0
    const watchedSleep = async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
      sleeping = milliseconds
      await sleep(milliseconds, signal)
      sleeping = 0
    }
    Object.assign(clock, { sleep: watchedSleep })
    const { modem, driver } = await openModem(script, options, { clock })
    const stop = new AbortController()
    const watched = driver.watches?.[0]?.run(() => {}, stop.signal)
    onTestFinished(async () => {
      stop.abort()
      await watched?.catch(() => {})
    })
    /** Lets the pause of the watch pass that has this length. */
    const pass = async (milliseconds: number): Promise<void> => {
      await expect.poll(() => sleeping).toBe(milliseconds)
      clock.advance(milliseconds)
    }
    return { clock, modem, driver, watched, pass }
  }
  const offline = { 'AT+CREG?': ['+CREG: 0,2', 'OK'], 'AT+CEREG?': ['+CEREG: 0,0', 'OK'] }
  const radio = (commands: readonly string[]) => commands.filter(each => /^AT\+CFUN/.test(each))

  it('is prepared again after it has started, so that it announces texts', async () => {
    const { modem, driver, pass } = await openWatched({ pin: '1234' }, { pin: '1234' })
    await driver.send(message, never)
    const before = modem.commands.length
    modem.restart('+CPIN: SIM PIN', 'Call Ready', 'SMS Ready')
    await pass(2000)
    await expect.poll(() => modem.commands.slice(before)).toContain('AT+CPIN="1234"')
  })

  it('and has no network for minutes goes off the air and back, ever more rarely', async () => {
    const { modem, pass } = await openWatched({ answers: offline })
    for (let seconds = 30; seconds <= 90; seconds += 30) await pass(30_000)
    await expect.poll(() => modem.commands.filter(each => each === 'AT')).toHaveLength(3)
    expect(radio(modem.commands)).toEqual([])
    await pass(30_000)
    await expect.poll(() => radio(modem.commands)).toEqual(['AT+CFUN=4', 'AT+CFUN=1'])
    for (let seconds = 30; seconds <= 180; seconds += 30) await pass(30_000)
    expect(radio(modem.commands)).toHaveLength(2)
  })

  it('stays on the air with reset=none', async () => {
    const { modem, pass } = await openWatched({ answers: offline }, { reset: 'none' })
    for (let seconds = 30; seconds <= 180; seconds += 30) await pass(30_000)
    expect(radio(modem.commands)).toEqual([])
  })

  it('and loses its SIM is trouble', async () => {
    const { modem, driver, watched, pass } = await openWatched()
    await expect.poll(() => modem.commands).toContain('AT+CMGF=0')
    const lost = watched?.catch((error: unknown) => error)
    modem.setScript({ answers: { 'AT+CPIN?': ['+CME ERROR: 10'] } })
    expect(await driver.health?.()).toEqual({
      ok: false,
      detail: expect.stringMatching(/^The SIM is not ready .*SIM not inserted/),
    })
    await pass(30_000)
    expect(await lost).toMatchObject({ message: expect.stringMatching(/SIM not inserted/) })
  })
})
