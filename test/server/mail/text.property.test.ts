import fc from 'fast-check'
import { expect, test } from 'vitest'
import { htmlToText } from '../../../src/server/mail/html-to-text.js'
import { createMailReader } from '../../../src/server/mail/mail-text.js'
import type { Mail } from '../../../src/server/mail/parse-mail.js'
import { measureProcessorTime } from '../../processor-time.js'
import { scale } from '../../tier.js'

const nothing: Mail = {
  from: [],
  subject: '',
  text: '',
  identity: undefined,
  header: () => undefined,
}
const text = (mail: Partial<Mail>, length = 1600, subject: 'never' | 'first' = 'first') =>
  createMailReader({ ...nothing, ...mail })({ subject, length })

const awkward = fc.string({ unit: 'binary', maxLength: 300 })
const pieces = fc
  .array(
    fc.constantFrom(
      ...['> ', '>', '-- \n', '\n', ' ', 'On 1 Jan 2030, Bob wrote:\n', 'From: a\n', 'Sent: b\n'],
      ...['-----Original Message-----\n', 'Sent from my iPhone\n', 'Begin forwarded message:\n'],
      ...[
        '<',
        '>',
        '</',
        '<!--',
        '-->',
        '<blockquote type=cite>',
        '</blockquote>',
        '<pre>',
        '<br>',
      ],
      ...['<div style="display:none">', '</div>', '&', '&amp;', '&#0;', '\u0000', '\ud800', '😀'],
    ),
    { maxLength: 60 },
  )
  .map(all => all.join(''))
const any = fc.oneof(awkward, pieces)

test('the text of any mail is short, well-formed and without control characters', () => {
  fc.assert(
    fc.property(any, any, any, fc.integer({ min: 1, max: 200 }), (subject, plain, html, length) => {
      const result = text({ subject, text: plain + htmlToText(html) }, length)
      expect([...result].length).toBeLessThanOrEqual(length)
      expect(result.isWellFormed()).toBe(true)
      expect(result).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]|\n{3}/)
      expect(result).toBe(result.trim())
    }),
    { numRuns: scale(500) },
  )
})

const word = fc
  .stringMatching(/^[a-zA-Z0-9äöü€.,!?<&>"']{1,12}$/u)
  .filter(each => !each.startsWith('>'))
const line = fc.array(word, { minLength: 1, maxLength: 8 }).map(words => words.join(' '))
const plainMail = fc.array(line, { minLength: 1, maxLength: 8 }).map(lines => lines.join('\n'))

test('a mail without quotations does not change, in plain text and HTML', () => {
  fc.assert(
    fc.property(plainMail, plain => {
      expect(text({ text: plain })).toBe(plain)
      const escaped = plain.replace(/[&<>]/g, letter => `&#${letter.charCodeAt(0)};`)
      expect(text({ text: htmlToText(`<p>${escaped.replaceAll('\n', '<br>')}</p>`) })).toBe(plain)
    }),
  )
})

test('a quotation below does not change the text', () => {
  fc.assert(
    fc.property(plainMail, plainMail, (own, quoted) => {
      const quotation = quoted.replace(/^/gm, '> ')
      const mail = `${own}\n\nOn 1 Jan 2030, Bob <bob@example.com> wrote:\n${quotation}\n`
      expect(text({ text: mail, header: () => '<a@example.org>' })).toBe(own)
    }),
  )
})

test('a subject is the first line, and a truncated text ends with ...', () => {
  expect(text({ subject: 'Disk  full', text: 'on a' })).toBe('Disk full\non a')
  expect(text({ subject: 'Disk full' })).toBe('Disk full')
  expect(text({ subject: 'Disk full', text: 'on a' }, 1600, 'never')).toBe('on a')
  expect(text({ text: 'a'.repeat(11) }, 10)).toBe('aaaaaaa...')
  expect(text({ text: 'a'.repeat(10) }, 10)).toBe('aaaaaaaaaa')
  expect(text({ text: '😀😀😀' }, 2)).toBe('😀😀')
})

test.each([
  ['<', '<'.repeat(200_000)],
  ['tags without an end', '<div '.repeat(40_000)],
  ['comments without an end', '<!--'.repeat(50_000)],
  ['hidden elements without an end', '<p style="display:none">'.repeat(8_000)],
  [
    'names of hidden elements without an end',
    Array.from({ length: 7000 }, (_, at) => `<q${at.toString(36)} style=display:none>`).join(''),
  ],
  ['nested hidden elements', '<i hidden style=display:none>'.repeat(3000) + '</i>'.repeat(3000)],
  ['nested quotations', '<blockquote type=cite>a'.repeat(8_000)],
  ['ampersands', '&#'.repeat(100_000)],
  ['spaces', `${' '.repeat(199_000)}x`],
  ['quotation marks', '>\n'.repeat(100_000)],
  ['attributions', 'On 1 wrote: \n> a\n'.repeat(11_000)],
  ['dashes', '-'.repeat(200_000)],
  ['one long line', `On ${'1 '.repeat(99_000)}wrote:`],
])('any number of %s is parsed quickly', async (_, many) => {
  const parse = () => [htmlToText(many), text({ text: many, subject: many })]
  expect(await measureProcessorTime(parse)).toBeLessThan(2000)
})
