import { describe, expect, it } from 'vitest'
import {
  applyEnvironment,
  explainFlagError,
  splitRepeatedValues,
} from '../../../src/cli/command/environment-flags.js'
import { RelayError } from '../../../src/errors.js'

const definitions = {
  csv: { type: 'option', env: 'SMSRELAY_CSV' },
  rate: { type: 'option', env: 'SMSRELAY_RATE', dependsOn: ['csv'] },
  again: { type: 'boolean', env: 'SMSRELAY_AGAIN' },
  'new-rows': { type: 'boolean', env: 'SMSRELAY_NEW_ROWS', exclusive: ['again'] },
  header: { type: 'option', env: 'SMSRELAY_HEADER', multiple: true },
  format: { type: 'option', char: 'f', env: 'SMSRELAY_FORMAT', options: ['csv', 'yaml'] },
  old: { type: 'boolean', env: 'SMSRELAY_OLD', exclusive: ['young'] },
  young: { type: 'boolean', env: 'SMSRELAY_YOUNG', exclusive: ['old'] },
  plain: { type: 'boolean', env: 'SMSRELAY_PLAIN', exclusive: ['format'] },
} as const

function listApplied(argv: readonly string[], env: Record<string, string>): string[] {
  return Object.values(applyEnvironment(definitions, argv, env)).flatMap(flag => flag.env ?? [])
}

const all: readonly string[] = [
  'SMSRELAY_CSV',
  'SMSRELAY_RATE',
  'SMSRELAY_AGAIN',
  'SMSRELAY_NEW_ROWS',
]

describe('applyEnvironment', () => {
  it.each([
    ['a flag that another needs is missing', [], { SMSRELAY_RATE: '1/s' }, ['SMSRELAY_RATE']],
    ['the needed flag is typed', ['--csv', 'a'], { SMSRELAY_RATE: '1/s' }, []],
    ['the needed flag is typed with =', ['--csv=a'], { SMSRELAY_RATE: '1/s' }, []],
    ['the needed flag is an argument', ['--', '--csv'], { SMSRELAY_RATE: '1' }, ['SMSRELAY_RATE']],
    ['the needed flag has a variable', [], { SMSRELAY_RATE: '1/s', SMSRELAY_CSV: 'a' }, []],
    ['the needed variable is empty', [], { SMSRELAY_RATE: '1', SMSRELAY_CSV: '' }, [all[1]]],
    ['an excluding flag is typed', ['--again'], { SMSRELAY_NEW_ROWS: '1' }, [all[3]]],
    ['an excluding short flag is typed', ['-fcsv'], { SMSRELAY_PLAIN: '1' }, ['SMSRELAY_PLAIN']],
    ['an excluded flag is typed', ['--new-rows'], { SMSRELAY_AGAIN: '1' }, ['SMSRELAY_AGAIN']],
    ['a switch excludes it', [], { SMSRELAY_NEW_ROWS: '1', SMSRELAY_AGAIN: '1' }, [all[2]]],
    ['a switch is off', [], { SMSRELAY_NEW_ROWS: '0', SMSRELAY_AGAIN: '1' }, [all[3]]],
    ['two exclude each other', [], { SMSRELAY_OLD: '1', SMSRELAY_YOUNG: '1' }, []],
  ])('%s', (_, argv, env, ignored: readonly (string | undefined)[]) => {
    const expected: readonly string[] = [
      ...all,
      ...['SMSRELAY_HEADER', 'SMSRELAY_FORMAT', 'SMSRELAY_OLD', 'SMSRELAY_YOUNG', 'SMSRELAY_PLAIN'],
    ].filter(name => !ignored.includes(name))
    expect(listApplied(argv, env)).toEqual(expected)
  })

  it.each(['maybe', '2', 'on'])('a switch refuses %s', value => {
    expect(() => listApplied([], { SMSRELAY_AGAIN: value })).toThrow(
      `SMSRELAY_AGAIN must be true or false, not "${value}".`,
    )
  })

  it.each(['1', 'TRUE', 'yes', '0', 'False', 'n', ''])('a switch accepts %j', value => {
    expect(listApplied([], { SMSRELAY_AGAIN: value })).toContain('SMSRELAY_AGAIN')
  })

  it('a flag with options refuses other values', () => {
    expect(() => listApplied([], { SMSRELAY_FORMAT: 'xml' })).toThrow(
      'SMSRELAY_FORMAT must be one of csv, yaml, not "xml".',
    )
    expect(listApplied(['--format', 'csv'], { SMSRELAY_FORMAT: 'xml' })).toContain('SMSRELAY_CSV')
    expect(listApplied([], { SMSRELAY_FORMAT: 'yaml' })).toContain('SMSRELAY_FORMAT')
  })

  it('a typed switch makes its variable irrelevant', () => {
    expect(listApplied(['--again'], { SMSRELAY_AGAIN: 'maybe' })).toContain('SMSRELAY_AGAIN')
  })
})

describe('explainFlagError', () => {
  const error = new RelayError('usage', '--rate is wrong.', {
    ...{ hint: 'Write 5/s.', fields: { flag: '--rate' } },
  })

  it('names the variable that the value is from', () => {
    expect(explainFlagError(error, definitions, [], { SMSRELAY_RATE: 'x' })).toMatchObject({
      ...{ code: 'usage', message: '--rate is wrong.' },
      hint: 'The value is from SMSRELAY_RATE. Write 5/s.',
      fields: { flag: '--rate', variable: 'SMSRELAY_RATE' },
    })
  })

  it.each([
    ['a typed flag', ['--rate', 'x'], { SMSRELAY_RATE: 'y' }],
    ['a default', [], {}],
  ])('leaves an error about %s as it is', (_, argv, env) => {
    expect(explainFlagError(error, definitions, argv, env)).toBe(error)
  })
})

it('each line of a repeatable flag in the environment is a value', () => {
  const flags = { header: 'A: 1, 2\n\nB: 3\r\n', csv: 'a\nb' }
  expect(splitRepeatedValues(flags, definitions)).toEqual({
    header: ['A: 1, 2', 'B: 3'],
    csv: 'a\nb',
  })
})
