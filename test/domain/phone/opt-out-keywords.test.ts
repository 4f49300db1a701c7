import fc from 'fast-check'
import { expect, test } from 'vitest'
import { limits } from '../../../src/domain/limits.js'
import {
  defaultStartKeywords,
  defaultStopKeywords,
  findKeyword,
  normalizeKeyword,
  toKeywords,
} from '../../../src/domain/phone/opt-out-keywords.js'
import { measureProcessorTime } from '../../processor-time.js'
import { scale } from '../../tier.js'

const words = toKeywords(defaultStopKeywords, defaultStartKeywords)

test.each([
  ['STOP', 'stop'],
  ['stop', 'stop'],
  ['  Stop \r\n', 'stop'],
  ['Stop.', 'stop'],
  ['STOP!!!', 'stop'],
  ['stop…', 'stop'],
  ['"STOP"', 'stop'],
  ['“Stop.”', 'stop'],
  ['„Stop“!', 'stop'],
  ["'stop'", 'stop'],
  ['«stop»', 'stop'],
  ['(stop)', 'stop'],
  ['ＳＴＯＰ', 'stop'],
  ['\u200bSTOP\ufeff', 'stop'],
  ['Unsubscribe', 'stop'],
  ['yes', 'start'],
  ['Start.', 'start'],
  ['', undefined],
  ['...', undefined],
  ['stop it', undefined],
  ['please stop', undefined],
  ['S T O P', undefined],
  ['STOP 2', undefined],
  ['stop and go', undefined],
  ['How do I stop this?', undefined],
  ['Do not STOP.', undefined],
  ['STOP-ALL of it', undefined],
  ['the end', undefined],
  ['helpful', undefined],
  ['-stop', 'stop'],
  ['*STOP*', 'stop'],
  ['~ stop ~', 'stop'],
  ['¡Alto!', 'stop'],
  ['【停止】 STOP', undefined],
  ['「STOP」', 'stop'],
  ['\u00a0STOP\u00a0', 'stop'],
  ['STOP\u3000ALL', 'stop'],
  ['Stop\u00a0\u2003all !', 'stop'],
  ['S\u00adT\u200dO\u2060P', 'stop'],
  ['STOPALL', 'stop'],
  ['Revoke', 'stop'],
  ['optout', 'stop'],
  ['Opt  out.', 'stop'],
  ['OPT-OUT', 'stop'],
  ['opt\u2011out', 'stop'],
  ['OPT–OUT', 'stop'],
  ['ＯＰＴ－ＯＵＴ', 'stop'],
  ['ARRET', 'stop'],
  ['Arrêt', 'stop'],
  ['ARRE\u0302T', 'stop'],
  ['ArrÊt !', 'stop'],
  ['Stopp!', 'stop'],
  ['Help', 'help'],
  ['info?', 'help'],
  ['ＨＥＬＰ', 'help'],
  ['help me', undefined],
  ['stop stop', undefined],
  ['Stop\nYes', undefined],
])('%j is %s', (text, word) => {
  expect(findKeyword(text, words)).toBe(word)
})

test.each(['!', ' ', '"', '\u200b', '\ufdfa', '\u2026'])(
  'the longest text of %j is read at once',
  async mark => {
    const text = `a${mark.repeat(limits.receivedText)}a`
    const read = () => expect(findKeyword(text, words)).toBeUndefined()
    expect(await measureProcessorTime(read)).toBeLessThan(5000)
  },
)

test('a keyword of several words matches with any spaces', () => {
  const own = toKeywords(['Opt  out', 'ÇIKIŞ', 'стоп'], [])
  for (const text of ['opt out', ' OPT\nOUT. ', 'Çıkış', 'çikiş', 'СТОП!']) {
    expect([text, findKeyword(text, own)]).toEqual([text, 'stop'])
  }
  expect(findKeyword('STOP', own)).toBeUndefined()
})

test('without keywords no text matches', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), text => {
      expect(findKeyword(text, toKeywords([], [], []))).toBeUndefined()
    }),
  )
})

const around = fc.stringMatching(/^[ \t\n"'“”«»„.!?…,;*_(){}<>\u00a0\u3000-]{0,4}$/)
const anyCase = (word: string) =>
  fc
    .array(fc.boolean(), { minLength: word.length, maxLength: word.length })
    .map(upper =>
      [...word].map((letter, at) => (upper[at] ? letter : letter.toLowerCase())).join(''),
    )

test('a keyword matches in any case, quoted and with punctuation, but not with more text', () => {
  const word = fc.constantFrom(...defaultStopKeywords, ...defaultStartKeywords)
  const text = word.chain(each => fc.tuple(fc.constant(each), around, anyCase(each), around))
  fc.assert(
    fc.property(text, fc.stringMatching(/^[a-z0-9]{1,5}$/), ([each, lead, typed, end], more) => {
      const expected = (defaultStopKeywords as readonly string[]).includes(each) ? 'stop' : 'start'
      expect(findKeyword(lead + typed + end, words)).toBe(expected)
      expect(findKeyword(`${lead}${typed} ${more}${end}`, words)).toBeUndefined()
      expect(findKeyword(`${more} ${typed}`, words)).toBeUndefined()
    }),
  )
})

test('normalizing twice is the same as once', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), text => {
      expect(normalizeKeyword(normalizeKeyword(text))).toBe(normalizeKeyword(text))
    }),
    { numRuns: scale(1000), examples: [['ẞ'], ['ß'], ['ŉ'], ['ǰ'], ['İ']] },
  )
})
