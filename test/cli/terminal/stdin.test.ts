import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { measureInput, readLines, readPiped, readText } from '../../../src/cli/terminal/stdin.js'

describe('readText', () => {
  it.each([
    ['hello\n', 'hello'],
    ['hello\r\n', 'hello'],
    ['hello\n\n', 'hello\n'],
    ['two\nlines', 'two\nlines'],
    ['two\r\nlines\r\n\r\n', 'two\nlines\n'],
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
    expect(await readPiped(argument, { stdin: piped() })).toBe(text)
  })

  it('does not read a terminal', async () => {
    const terminal = Object.assign(piped(), { isTTY: true })
    expect(await readPiped(undefined, { stdin: terminal })).toBeUndefined()
  })
})

describe('readLines', () => {
  it('yields lines, and reports how many bytes it has read', async () => {
    const read: number[] = []
    const chunks = ['a\nb', 'c\n', 'd'].map(text => Buffer.from(text))
    const { signal } = new AbortController()
    const lines: string[] = []
    for await (const line of readLines(Readable.from(chunks), signal, bytes => read.push(bytes))) {
      lines.push(String(line))
    }
    expect([lines, read]).toEqual([
      ['a', 'bc', 'd'],
      [3, 5, 6],
    ])
  })
})

it('a file that is stdin has a size, a pipe has none', async () => {
  await using file = await open(import.meta.filename)
  const { size } = await file.stat()
  expect(measureInput(Object.assign(Readable.from([]), { fd: file.fd }))).toBe(size)
  expect(measureInput(Readable.from([]))).toBe(0)
})
