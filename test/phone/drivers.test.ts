import { describe, expect, it } from 'vitest'
import { isRelayError } from '../../src/errors.js'
import type { Driver } from '../../src/phone/driver.js'
import { createDriver, driverNames } from '../../src/phone/drivers/index.js'
import { createClock } from './phone-rig.js'

const text = { id: 'a', destination: '+12025550123', text: 'Hello' }
const { signal } = new AbortController()

async function outcomes(driver: Driver, count = 20): Promise<string> {
  const one = () =>
    driver.send(text, signal).then(
      () => '.',
      () => 'x',
    )
  let all = ''
  for (let n = 0; n < count; n++) all += await one()
  return all
}

describe('the drivers', () => {
  it('are known by name', () => {
    expect(driverNames).toEqual(['http', 'smpp', 'modem', 'exec', 'simulate'])
  })

  it.each<[string, Record<string, string>, RegExp]>([
    ['fax', {}, /no driver "fax"; there are http, smpp, .*, simulate/],
    ['toString', {}, /no driver "toString"/],
    ['simulate', { speed: '1' }, /no option "speed"; it has delay, failure-rate, seed/],
    ['simulate', { delay: '-1' }, /delay must be a number of milliseconds, 0 to 600000; not "-1"/],
    ['simulate', { delay: 'soon' }, /not "soon"/],
    ['simulate', { delay: '' }, /not ""/],
    ['simulate', { delay: '0x10' }, /not "0x10"/],
    ['simulate', { 'failure-rate': '1.1' }, /failure-rate must be a number, 0 to 1; not "1.1"/],
    ['simulate', { seed: '1.5' }, /seed must be a whole number/],
    ['exec', {}, /needs the option command, such as --command/],
    ['exec', { command: '  ' }, /needs the option command/],
    ['exec', { command: `''` }, /names no program/],
    ['exec', { command: `send 'x` }, /never closed/],
    ['exec', { command: 'send', timeout: '0' }, /timeout must be a number of seconds, 0.1 to 3600/],
    ['exec', { command: 'send', delay: '1' }, /no option "delay"; it has command, timeout/],
  ])('%s with %j is refused', (name, options, sentence) => {
    expect(() => createDriver(name, options)).toThrow(sentence)
    expect(() => createDriver(name, options)).toThrow(
      expect.toSatisfy(error => isRelayError(error, 'usage')),
    )
  })
})

describe('simulate', () => {
  it('sends everything at once unless told', async () => {
    const clock = createClock()
    expect(await outcomes(createDriver('simulate', {}, clock))).toBe('.'.repeat(20))
    expect(clock.waits).toEqual([])
  })

  it('takes its delay for each text', async () => {
    const clock = createClock()
    await outcomes(createDriver('simulate', { delay: '250' }, { pause: clock.pause }), 2)
    expect(clock.waits).toEqual([250, 250])
  })

  it('fails with its rate, the same texts for the same seed', async () => {
    const run = (seed: string) =>
      outcomes(createDriver('simulate', { 'failure-rate': '0.3', seed }), 1000)
    const first = await run('7')
    expect(await run('7')).toBe(first)
    expect(await run('8')).not.toBe(first)
    const failures = first.replaceAll('.', '').length
    expect(failures).toBeGreaterThan(250)
    expect(failures).toBeLessThan(350)
  })

  it.each([
    ['0', '.'],
    ['1', 'x'],
  ])('with rate %s has one outcome only', async (rate, outcome) => {
    const driver = createDriver(
      'simulate',
      { 'failure-rate': rate },
      {
        random: () => (rate === '0' ? 0 : 0.999_999),
      },
    )
    expect(await outcomes(driver, 3)).toBe(outcome.repeat(3))
  })

  it('has sent nothing when it is stopped in its delay', async () => {
    const driver = createDriver('simulate', { delay: '60000' })
    await expect(driver.send(text, AbortSignal.abort())).rejects.toMatchObject({ kind: 'trouble' })
  })

  it('says in its health that it is no phone', async () => {
    expect(await createDriver('simulate', {}).health?.()).toMatchObject({ ok: true })
  })
})
