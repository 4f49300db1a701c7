import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import {
  commonOptions,
  createDriver,
  driverKinds,
} from '../../../src/phone/drivers/driver-registry.js'
import { expectUsageError } from './usage-error.js'

test.each<[string, Record<string, string>, string[]]>([
  ['fax', {}, ['"fax"', 'modem, smpp, http', 'exec, simulate']],
  ['toString', {}, ['"toString"']],
  ['termux', { slot: '1.5' }, ['slot', '0 to 9', '"1.5"']],
  ['termux', { timeout: '0' }, ['timeout', 'seconds', '1 to 3600', '"0"']],
  ['gammu', { config: '-d' }, ['config', '"-d"']],
  ['gammu', { section: 'x' }, ['section', '0 to 999', '"x"']],
  ['mmcli', { modem: '' }, ['modem', '""']],
  ['gammu', { number: 'mine' }, ['number', '+12025550100', '"mine"']],
  ['gammu', { dial: '' }, ['dial', 'typed', '""']],
  ['exec', { command: 'x', number: '1' }, ['"number"']],
  ['simulate', { 'hang-rate': '2' }, ['hang-rate', '0 to 1', '"2"']],
  ['simulate', { 'fail-rate': '0.6', 'lost-rate': '0.5' }, ['fail-rate', 'lost-rate', '1.1']],
  ['simulate', { crash: 'now' }, ['crash', 'before or after', '"now"']],
  ['simulate', { 'crash-rate': '1' }, ['crash-rate', 'crash=before', 'crash=after']],
  ['simulate', { speed: '1' }, ['"speed"', 'delay, jitter, outbox', 'seed']],
  ['simulate', { delay: '-1' }, ['delay', 'milliseconds', '0 to 600000', '"-1"']],
  ['simulate', { delay: 'soon' }, ['delay', '"soon"']],
  ['simulate', { delay: '' }, ['delay', '""']],
  ['simulate', { delay: '0x10' }, ['delay', '"0x10"']],
  ['simulate', { 'failure-rate': '1.1' }, ['failure-rate', '0 to 1', '"1.1"']],
  ['simulate', { seed: '1.5' }, ['seed', 'whole number']],
  ['exec', {}, ['command', '--option']],
  ['exec', { command: '  ' }, ['command']],
  ['exec', { command: `''` }, ['command', 'program']],
  ['exec', { command: `send 'x` }, [`'`]],
  ['exec', { command: 'send', timeout: '0' }, ['timeout', 'seconds', '0.1 to 3600']],
  ['exec', { command: 'send', delay: '1' }, ['"delay"', 'command, timeout']],
])('driver %s with options %j is rejected', (name, options, values) => {
  expectUsageError(() => createDriver(name, options), ...values)
})

test('an error about an option names the driver', () => {
  expect(() => createDriver('modem', {})).toThrow(
    expect.objectContaining({
      message: expect.stringContaining('device'),
      hint: 'The driver is modem; `smsrelay phone --help` has its options.',
      fields: { driver: 'modem' },
    }),
  )
})

test.each(Object.entries(driverKinds))(
  'the reference has every option of %s',
  async (name, kind) => {
    const page = await readFile('docs/reference/drivers.md', 'utf8')
    const section = page.split(/^## /m).find(each => each.startsWith(`${name}\n`)) ?? ''
    const names = Object.keys(kind.options).filter(each => !commonOptions.includes(each))
    const isNamed = (option: string) => {
      const name = option.replace(/^field\./, '').replace('.*', '')
      return RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(section)
    }
    expect(names.filter(each => !isNamed(each))).toEqual([])
  },
)
