import { Parser } from '@oclif/core'
import { boolean, string } from '@oclif/core/flags'
import { describe, expect, it } from 'vitest'
import { hasJsonFlag, reportError, toErrorReport } from '../../../src/cli/command/report-error.js'
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

describe('toFailure', () => {
  it('adds the hint to the sentence', () => {
    const error = new RelayError('unreachable', 'Nobody is there.', { hint: 'Start it.' })
    expect(toErrorReport(error)).toEqual({
      code: 'unreachable',
      message: 'Nobody is there. Start it.',
      exitCode: 1,
    })
  })

  it('shows no escape sequence and no second line of what a relay says', () => {
    const error = new RelayError('invalid_parameter', 'a\u001b[31mb\nc')
    expect(toErrorReport(error)?.message).toBe('ab c')
  })

  it('takes an interruption for 130', () => {
    expect(toErrorReport(new Interrupted())).toMatchObject({ code: 'interrupted', exitCode: 130 })
  })

  it('has nothing to tell when nobody reads any more', () => {
    expect(
      toErrorReport(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
    ).toBeUndefined()
  })

  it('tells of an unforeseen error its message only', () => {
    const failure = toErrorReport(new TypeError('x is not a function'))
    expect(failure).toEqual({ code: 'internal_error', message: 'x is not a function', exitCode: 1 })
  })

  it.each([
    ['an unknown flag', ['--secret-kee=abc'], 'There is no flag --secret-kee.'],
    ['an unknown short flag', ['-xabc'], 'There is no flag -x.'],
    ['an argument too many', ['abc'], 'There are too many arguments.'],
    ['a flag without its value', ['--key'], 'Flag --key expects a value.'],
    ['a flag given twice', ['--key', 'abc', '--key', 'abc'], 'Flag --key can only be'],
    ['a value that is not one of a few', ['--order', 'up'], 'Expected --order=up to be one of'],
  ])('makes %s a usage error that repeats no secret', async (_, argv, sentence) => {
    const failure = toErrorReport(await parseError(argv))
    expect(failure).toMatchObject({ code: 'usage', exitCode: 2 })
    expect(failure?.message.startsWith(sentence)).toBe(true)
    expect(failure?.message).not.toMatch(/abc|\n/)
  })
})

describe('report', () => {
  const error = new RelayError('not_a_message', 'There is none.')

  it('tells people one line on stderr', async () => {
    const io = testIo()
    await reportError(error, io, false)
    expect([io.out(), io.err(), io.codes]).toEqual(['', 'smsrelay: There is none.\n', [5]])
  })

  it('tells programs one JSON value on stdout, with the same exit code', async () => {
    const io = testIo()
    await reportError(error, io, true)
    const json = '{"error":{"code":"not_a_message","message":"There is none."}}\n'
    expect([io.out(), io.err(), io.codes]).toEqual([json, '', [5]])
  })

  it.each([
    ['is red on a terminal', {}, '\u001b[31msmsrelay:\u001b[39m There is none.\n'],
    ['is plain with NO_COLOR', { NO_COLOR: '1' }, 'smsrelay: There is none.\n'],
  ])('%s', async (_, env, text) => {
    const io = testIo({ tty: true, env })
    await reportError(error, io, false)
    expect(io.err()).toBe(text)
  })
})

describe('wantsJson', () => {
  it.each([
    [['--json'], true],
    [['a', '--json', '--', 'b'], true],
    [['a', '--', '--json'], false],
    [['a'], false],
  ])('%j: %s', (argv, wanted) => expect(hasJsonFlag(argv)).toBe(wanted))
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
