import { describe, expect, it } from 'vitest'
import { isRelayError } from '../../../src/errors.js'
import { createDriver, driverNames } from '../../../src/phone/drivers/driver-registry.js'

describe('the drivers', () => {
  it('are known by name', () => {
    expect(driverNames).toEqual([
      'http',
      'smpp',
      'modem',
      'termux',
      'gammu',
      'mmcli',
      'kdeconnect',
      'exec',
      'simulate',
    ])
  })

  it.each<[string, Record<string, string>, RegExp]>([
    ['fax', {}, /no driver "fax"; there are http, smpp, .*, exec, simulate/],
    ['termux', { slot: '1.5' }, /slot must be a whole number, 0 to 9/],
    ['termux', { timeout: '0' }, /timeout must be a number of seconds, 1 to 3600/],
    ['gammu', { config: '-d' }, /config cannot be "-d"/],
    ['gammu', { section: 'x' }, /section must be a whole number, 0 to 999/],
    ['mmcli', { modem: '' }, /modem cannot be ""/],
    ['kdeconnect', { name: '-x' }, /name cannot be "-x"/],
    ['simulate', { 'hang-rate': '2' }, /hang-rate must be a number, 0 to 1/],
    ['simulate', { 'fail-rate': '0.6', 'lost-rate': '0.5' }, /must not be more than 1 in sum/],
    ['simulate', { crash: 'now' }, /crash is before or after; not "now"/],
    ['simulate', { 'crash-rate': '1' }, /crash-rate needs crash=before or crash=after/],
    ['toString', {}, /no driver "toString"/],
    ['simulate', { speed: '1' }, /no option "speed"; it has delay, jitter, failure-rate, .*, seed/],
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
