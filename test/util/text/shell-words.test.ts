import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isRelayError } from '../../../src/errors.js'
import { quoteShellWord, splitCommand } from '../../../src/util/text/shell-words.js'

describe('a command line', () => {
  it.each<[string, string[]]>([
    ['', []],
    ['  \t\n ', []],
    ['send', ['send']],
    ['  send   -x\t--to\n', ['send', '-x', '--to']],
    [`send 'a b' "c d"`, ['send', 'a b', 'c d']],
    [`send '' ""`, ['send', '', '']],
    [`a'b'"c"d`, ['abcd']],
    [String.raw`send a\ b`, ['send', 'a b']],
    [String.raw`'a\b' "a\b" a\b`, [String.raw`a\b`, String.raw`a\b`, 'ab']],
    [String.raw`"a\"b\\c" 'it'\''s'`, [String.raw`a"b\c`, `it's`]],
    ['"\\$HOME \\`"', ['$HOME `']],
    ['$HOME;rm ~|cat & `x`>y *', ['$HOME;rm', '~|cat', '&', '`x`>y', '*']],
    ['grüße 😀', ['grüße', '😀']],
  ])('%j is split as in a shell, without expansion', (command, words) => {
    expect(splitCommand(command)).toEqual(words)
  })

  it.each([
    [`send 'a`, /has a ' that is never closed/],
    [`send "a`, /has a " that is never closed/],
    [String.raw`send "a\"`, /has a " that is never closed/],
    [`a'b`, /has a ' that is never closed/],
    ['send \\', /ends in a lone backslash/],
  ])('%j is a usage error', (command, sentence) => {
    expect(() => splitCommand(command)).toThrow(sentence)
    expect(() => splitCommand(command)).toThrow(
      expect.toSatisfy(each => isRelayError(each, 'usage')),
    )
  })

  it('is split into any words that were quoted', () => {
    const words = fc.array(fc.string({ unit: 'binary' }))
    fc.assert(
      fc.property(words, given => {
        expect(splitCommand(given.map(quoteShellWord).join(' '))).toEqual(given)
      }),
    )
  })
})

const special = fc.constantFrom(...'\'"\\`$!*?~#&;|<>(){}[]^=%-\n\t\r ', '\x03', 'é', '😀')
const word = fc.string({ unit: fc.oneof(special, fc.string({ unit: 'binary', maxLength: 1 })) })

/** A shell takes as long to start as to read hundreds of words. */
const fewLongRuns = { numRuns: 10 }

it.each(['sh', 'bash'])('%s reads quoted words exactly as they were', shell => {
  const words = fc.array(
    word.map(each => each.replaceAll('\0', '')),
    { minLength: 1, maxLength: 200, size: 'max' },
  )
  fc.assert(
    fc.property(words, given => {
      const script = `printf '%s\\0' ${given.map(quoteShellWord).join(' ')}`
      const printed = execFileSync(shell, ['-c', script], { encoding: 'utf8' })
      expect(printed.split('\0')).toEqual([...given, ''])
    }),
    fewLongRuns,
  )
})
