import { Parser } from '@oclif/core'
import { boolean, string } from '@oclif/core/flags'
import { describe, expect, it } from 'vitest'
import {
  hasJsonFlag,
  hasJsonOutput,
  reportError,
  toErrorReport,
} from '../../../src/cli/command/report-error.js'
import { getExitCode } from '../../../src/cli/terminal/exit-codes.js'
import { Interrupted } from '../../../src/cli/terminal/interruption.js'
import { RelayError } from '../../../src/errors.js'
import { testIo } from '../streams.js'

describe('exit codes', () => {
  it.each([
    ['usage', 2],
    ['configuration', 1],
    ['invalid_client', 4],
    ['invalid_token', 4],
    ['insufficient_scope', 4],
    ['not_a_message', 5],
    ['not_a_subscription', 5],
    ['not_an_account', 5],
    ['not_found', 5],
    ['timed_out', 124],
    ['invalid_parameter', 1],
    ['unreachable', 1],
  ] as const)('of %s is %i', (code, exit) => expect(getExitCode(code)).toBe(exit))
})

describe('toErrorReport', () => {
  it('appends the hint to the message', () => {
    const error = new RelayError('unreachable', 'It is down.', { hint: 'Start it.' })
    expect(toErrorReport(error)).toEqual({
      code: 'unreachable',
      message: 'It is down. Start it.',
      exitCode: 1,
    })
  })

  it('removes escape sequences and line ends', () => {
    const error = new RelayError('invalid_parameter', 'a\u001b[31mb\nc')
    expect(toErrorReport(error)?.message).toBe('ab c')
  })

  it('reports an interruption with exit code 130', () => {
    expect(toErrorReport(new Interrupted())).toMatchObject({ code: 'interrupted', exitCode: 130 })
  })

  it('reports nothing when the reader of stdout closed the pipe', () => {
    expect(
      toErrorReport(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
    ).toBeUndefined()
  })

  it('reports only the message of an unexpected error', () => {
    const report = toErrorReport(new TypeError('x is not a function'))
    expect(report).toEqual({ code: 'internal_error', message: 'x is not a function', exitCode: 1 })
  })

  it.each([
    ['an unknown flag', ['--secret-kee=abc'], '--secret-kee'],
    ['an unknown short flag', ['-xabc'], '-x'],
    ['an argument too many', ['abc'], 'arguments'],
    ['a flag without its value', ['--key'], '--key'],
    ['a flag given twice', ['--key', 'abc', '--key', 'abc'], '--key'],
    ['an option that does not exist', ['--order', 'up'], '--order=up'],
  ])('reports %s as a usage error that repeats no secret', async (_, argv, named) => {
    const report = toErrorReport(await parseError(argv))
    expect(report).toMatchObject({ code: 'usage', exitCode: 2 })
    expect(report?.message).toContain(named)
    expect(report?.message).not.toMatch(/abc|\n/)
  })
})

describe('reportError', () => {
  const error = new RelayError('not_a_message', 'No such message.')

  it('prints one line on stderr', async () => {
    const io = testIo()
    await reportError(error, io, false)
    expect([io.out(), io.err(), io.codes]).toEqual(['', 'smsrelay: No such message.\n', [5]])
  })

  it('prints one JSON value on stdout with --json, with the same exit code', async () => {
    const io = testIo()
    await reportError(error, io, true)
    const json = '{"error":{"code":"not_a_message","message":"No such message."}}\n'
    expect([io.out(), io.err(), io.codes]).toEqual([json, '', [5]])
  })

  it.each([
    ['is red on a terminal', {}, '\u001b[31msmsrelay:\u001b[39m No such message.\n'],
    [
      'is red with an empty NO_COLOR',
      { NO_COLOR: '' },
      '\u001b[31msmsrelay:\u001b[39m No such message.\n',
    ],
    ['is plain with NO_COLOR', { NO_COLOR: '1' }, 'smsrelay: No such message.\n'],
    ['is plain with FORCE_COLOR=0', { FORCE_COLOR: '0' }, 'smsrelay: No such message.\n'],
    ['is plain on a dumb terminal', { TERM: 'dumb' }, 'smsrelay: No such message.\n'],
  ])('%s', async (_, env, text) => {
    const io = testIo({ tty: true, env })
    await reportError(error, io, false)
    expect(io.err()).toBe(text)
  })
})

it.each([
  [['--ordr', 'asc'], 'Unknown flag --ordr. Did you mean --order?'],
  [['--nothing'], 'Unknown flag --nothing. Put a text that begins with a dash after "--".'],
])('%j: %s', async (argv, message) => {
  expect(toErrorReport(await parseError(argv))?.message).toContain(message)
})

describe('hasJsonFlag', () => {
  it.each([
    [['--json'], undefined, true],
    [['a', '--json', '--', 'b'], undefined, true],
    [['a', '--', '--json'], undefined, false],
    [['a'], undefined, false],
    [['a'], 'true', true],
    [['a'], 'false', false],
  ])('%j with SMSRELAY_JSON %s: %s', (argv, SMSRELAY_JSON, has) => {
    expect(hasJsonFlag(argv, { SMSRELAY_JSON })).toBe(has)
    expect(hasJsonOutput(argv, { SMSRELAY_JSON })).toBe(has)
  })
})

describe('hasJsonOutput', () => {
  it.each([
    [['-o', 'json'], {}, true],
    [['-ojson'], {}, true],
    [['-o=json'], {}, true],
    [['--output', 'json'], {}, true],
    [['--output=json'], {}, true],
    [['--', '-o', 'json'], {}, false],
    [['-o'], {}, false],
    [['-o', 'csv'], { SMSRELAY_JSON: '1' }, false],
    [['-o', 'csv'], { SMSRELAY_OUTPUT: 'json' }, false],
    [[], { SMSRELAY_OUTPUT: 'json' }, true],
    [[], { SMSRELAY_OUTPUT: 'csv' }, false],
  ])('%j with %j: %s', (argv, env, has) => {
    expect(hasJsonOutput(argv, env)).toBe(has)
  })
})

async function parseError(argv: string[]): Promise<unknown> {
  const flags = { json: boolean(), key: string(), order: string({ options: ['asc', 'desc'] }) }
  try {
    await Parser.parse(argv, { args: {}, flags, strict: true })
  } catch (error) {
    return error
  }
  throw new Error('It was parsed.')
}
