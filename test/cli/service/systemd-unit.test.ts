import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  escapePath,
  formatEnvironmentLine,
  quoteWord,
} from '../../../src/cli/service/systemd-unit.js'

/** Reads a word like systemd (systemd.service(5), "Command lines"). */
function readWord(word: string): string {
  const quoted = /^"(.*)"$/s.exec(word)?.[1]
  const plain = (quoted ?? word).replace(/\\(x[0-9a-f]{2}|.)/gs, (_, escaped: string) => {
    if (escaped.length === 3) return String.fromCharCode(Number.parseInt(escaped.slice(1), 16))
    return { n: '\n', r: '\r', t: '\t' }[escaped] ?? escaped
  })
  return plain.replaceAll('%%', '%').replaceAll('$$', '$')
}

describe('quoteWord', () => {
  it('any word stays on one line and is read back unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), word => {
        const quoted = quoteWord(word)
        expect(quoted).not.toMatch(/[\n\r]/)
        expect(readWord(quoted)).toBe(word)
      }),
    )
  })

  it.each([
    ['/usr/bin/node', '/usr/bin/node'],
    ['--quiet=mon-fri 20:00-24:00', '"--quiet=mon-fri 20:00-24:00"'],
    ['100%', '"100%%"'],
    ['$HOME', '"$$HOME"'],
    ['a"b\\c', '"a\\"b\\\\c"'],
    [';', '";"'],
    ['', '""'],
    ['a\nb\u0001', '"a\\nb\\x01"'],
  ])('%j becomes %s', (word, written) => {
    expect(quoteWord(word)).toBe(written)
  })
})

describe('formatEnvironmentLine', () => {
  it.each(['plain', 'a b', '$HOME `id` "x" \\ ', "it's", 'ü€', '#;', '{"a":"%s"}'])(
    'a shell reads %s back unchanged',
    value => {
      const read = `${formatEnvironmentLine('X', value)}\nprintf %s "$X"`
      expect(spawnSync('sh', ['-c', read], { encoding: 'utf8' }).stdout).toBe(value)
    },
  )
})

it('escapePath doubles percent signs', () => {
  expect(escapePath('/home/a%b/x y.env')).toBe('/home/a%%b/x y.env')
})
