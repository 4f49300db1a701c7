import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { readPiped, readText } from '../../../src/cli/terminal/stdin.js'

describe('readText', () => {
  it.each([
    ['hello\n', 'hello'],
    ['hello\r\n', 'hello'],
    ['hello\n\n', 'hello\n'],
    ['two\nlines', 'two\nlines'],
    ['', ''],
    ['\n', ''],
    ['  spaces  ', '  spaces  '],
  ])('%j is %j', async (piped, text) => {
    expect(await readText(Readable.from([Buffer.from(piped)]))).toBe(text)
  })

  it('joins a letter that arrives in two chunks', async () => {
    const bytes = Buffer.from('ü')
    const pieces = [bytes.subarray(0, 1), bytes.subarray(1)]
    expect(await readText(Readable.from(pieces))).toBe('ü')
  })

  it('rejects input that is not UTF-8', async () => {
    const stdin = Readable.from([Buffer.from([0xff, 0x41])])
    await expect(readText(stdin)).rejects.toMatchObject({ code: 'usage' })
  })

  it('rejects endless input', async () => {
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(65536, 'a')
      })(),
    )
    await expect(readText(endless)).rejects.toMatchObject({ code: 'usage' })
  })
})

describe('readPiped', () => {
  const piped = () => Readable.from([Buffer.from('piped')])

  it.each([
    ['an argument', 'given', 'given'],
    ['an empty argument', '', ''],
    ['a dash', '-', 'piped'],
    ['nothing', undefined, 'piped'],
  ])('with %s', async (_, argument, text) => {
    expect(await readPiped(argument, piped())).toBe(text)
  })

  it('does not read a terminal', async () => {
    const terminal = Object.assign(piped(), { isTTY: true })
    expect(await readPiped(undefined, terminal)).toBeUndefined()
  })
})
