import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nationalLanguages } from '../../../../src/domain/sms/national-tables.js'
import { decodeText } from '../../../../src/phone/drivers/smpp/text/decode-text-octets.js'
import {
  buildSubmitSms,
  type ContentSettings,
  type SubmitContent,
} from '../../../../src/phone/drivers/smpp/text/submit-sm.js'
import { PartAssembler } from '../../../../src/phone/received/part-assembler.js'
import { contentSettings } from './smsc.js'

function readContent(
  { shortMessage, esmClass, dataCoding }: SubmitContent,
  settings: ContentSettings,
): string {
  const length = esmClass === 0x40 ? 1 + (shortMessage[0] ?? 0) : 0
  const header = shortMessage.subarray(0, length)
  return decodeText(shortMessage.subarray(length), dataCoding, header, settings)
}

const alphabets = ['gsm', 'gsm-packed', 'latin-1', 'ascii'] as const

describe('an alphabet', () => {
  it.each(alphabets)('%s is read as it was sent, in any number of parts', alphabet => {
    const unit = fc.constantFrom(...'aB1 @\n[€éΔç你', '😀')
    const texts = fc.string({ unit, minLength: 1, maxLength: 400 })
    const longs = fc.constantFrom('udh', 'udh16', 'sar')
    fc.assert(
      fc.property(texts, longs, (text, long) => {
        const settings = { ...contentSettings, alphabet, long }
        const { contents } = buildSubmitSms(text, settings, 0x1234)
        expect(contents.map(content => readContent(content, settings)).join('')).toBe(text)
        const most = alphabet === 'gsm-packed' ? 140 : 160
        for (const { shortMessage } of contents) {
          expect(shortMessage.length).toBeLessThanOrEqual(most)
        }
      }),
    )
  })

  it.each(['gsm', 'gsm-packed'] as const)('%s has national language tables', alphabet => {
    const texts = fc.string({
      unit: fc.constantFrom(...'aB1 न्मİşã€'),
      minLength: 1,
      maxLength: 400,
    })
    const national = fc.constantFrom(nationalLanguages, ['hindi', 'turkish'] as const)
    fc.assert(
      fc.property(texts, fc.constantFrom('udh', 'udh16'), national, (text, long, languages) => {
        const settings = { ...contentSettings, alphabet, long, national: languages }
        const { contents, parts } = buildSubmitSms(text, settings, 0x1234)
        expect(contents).toHaveLength(parts)
        expect(contents.map(content => readContent(content, settings)).join('')).toBe(text)
      }),
    )
    const settings = { ...contentSettings, alphabet, national: nationalLanguages }
    const [content] = buildSubmitSms('नमस्ते '.repeat(11), settings, 1).contents
    expect(content).toMatchObject({ esmClass: 0x40, dataCoding: 0 })
    expect(Buffer.from(content?.shortMessage ?? []).toString('hex', 0, 4)).toBe('03250106')
  })

  it.each([
    ['gsm-packed', 'hellohello', 0, 'e8329bfd4697d9ec37'],
    ['latin-1', 'é', 3, 'e9'],
    ['ascii', '[a', 1, '5b61'],
    ['ascii', 'é', 8, '00e9'],
    ['latin-1', 'Δ', 8, '0394'],
  ] as const)('%s encodes "%s" with data_coding %i', (alphabet, text, dataCoding, octets) => {
    const codings = { gsm: 0, 'gsm-packed': 0, 'latin-1': 3, ascii: 1 }
    const settings = { ...contentSettings, alphabet, dataCoding: codings[alphabet] }
    const [content] = buildSubmitSms(text, settings, 1).contents
    expect(content).toMatchObject({ dataCoding })
    expect(Buffer.from(content?.shortMessage ?? []).toString('hex')).toBe(octets)
  })
})

it.each([
  [0x00, '1b65', '€'],
  [0x01, '5b', '['],
  [0x03, 'e9', 'é'],
  [0x05, '82a0', 'あ'],
  [0x06, 'b4', 'Д'],
  [0x07, 'e9', 'י'],
  [0x08, '4f60', '你'],
  [0x0a, '1b2442242221', 'あ'],
  [0x0e, 'b0a1', '가'],
  [0x18, '4f60', '你'],
  [0xe0, '4f60', '你'],
  [0xf0, '00', '@'],
  [0xf4, 'e9', 'é'],
])('data_coding %i reads %s as %s', (dataCoding, octets, text) => {
  const bytes = Buffer.from(octets, 'hex')
  const settings = { alphabet: 'gsm', dataCoding: 0 } as const
  expect(decodeText(bytes, dataCoding, new Uint8Array(), settings).startsWith(text)).toBe(true)
})

it('a surrogate pair that is split across parts is joined', () => {
  const settings = { alphabet: 'gsm', dataCoding: 0 } as const
  const texts = ['0061d83d', 'de000062'].map(octets =>
    decodeText(Buffer.from(octets, 'hex'), 8, Buffer.from('050003010201', 'hex'), settings),
  )
  const assembler = new PartAssembler()
  const all = texts.map((text, at) => {
    const stored = JSON.parse(JSON.stringify(text)) as string
    const part = { reference: 1, count: 2, number: at + 1 }
    return assembler.add({ key: `${at}`, from: '+1', text: stored, at: 0, cameAt: 0, part })
  })
  expect(all[1]?.text).toBe('a😀b')
})
