import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeChecksumBytes } from '../../../src/util/files/checksum-line.js'
import { TornTail } from '../../../src/util/files/torn-tail.js'

const sector = 512
const lineFeed = 10

/** What a reader finds of these bytes at an offset, where nothing in them is a whole line. */
function endingOf(bytes: Buffer, from: number): TornTail {
  const ending = new TornTail(from)
  let start = 0
  for (let at = 0; at <= bytes.length; at += 1) {
    if (at < bytes.length && bytes[at] !== lineFeed) continue
    if (at > start) ending.add(bytes.subarray(start, at), from + start)
    start = at + 1
  }
  return ending
}

/** A line with only the sectors of the file that are in `there`, on a disk that has sectors of a size. */
function written(line: Buffer, from: number, there: readonly boolean[], size: number): Buffer {
  const has = (at: number): boolean => there[Math.floor((from + at) / size) % there.length] === true
  return Buffer.from(line.map((byte, at) => (has(at) ? byte : lineFeed)))
}

const lines = fc.string({ minLength: 1, maxLength: 9000 }).map(text => encodeChecksumBytes([text]))
const offsets = fc.nat(3 * sector)

test('any sectors of one line may be what one write has left', () => {
  const sectors = fc.array(fc.boolean(), { minLength: 1, maxLength: 20 })
  const sizes = fc.constantFrom(sector, 4096)
  fc.assert(
    fc.property(lines, offsets, sectors, sizes, (line, from, there, size) => {
      const bytes = written(line, from, there, size)
      fc.pre(!bytes.equals(line))
      const ending = endingOf(bytes, from)
      expect(ending.isOneWrite).toBe(true)
      expect(ending.length).toBe(bytes.findLastIndex(byte => byte !== lineFeed) + 1)
    }),
  )
})

test('a line may be cut at any byte, in room or at the end of the file', () => {
  fc.assert(
    fc.property(lines, offsets, fc.nat(), fc.nat(2000), (line, from, cut, room) => {
      const part = line.subarray(0, cut % (line.length - 1))
      const ending = endingOf(Buffer.concat([part, Buffer.alloc(room, lineFeed)]), from)
      expect(ending.isOneWrite).toBe(true)
      expect(ending.length).toBe(part.length)
    }),
  )
})

test('two lines are not what one write has left, but where they meet at a sector', () => {
  fc.assert(
    fc.property(lines, lines, offsets, (first, second, from) => {
      const boundary = from + first.length
      fc.pre(boundary % sector > 1)
      const bytes = Buffer.concat([first, second])
      bytes[3] = 0x5a
      bytes[first.length + 3] = 0x5a
      expect(endingOf(bytes, from).isOneWrite).toBe(false)
    }),
  )
})

test('a line whose line feed was written over is not what a write has left', () => {
  fc.assert(
    fc.property(lines, lines, offsets, (first, second, from) => {
      const bytes = Buffer.concat([first, second])
      bytes[first.length - 1] = 0x5a
      expect(endingOf(bytes, from).isOneWrite).toBe(false)
    }),
  )
})

test('room alone is nothing', () => {
  expect(endingOf(Buffer.alloc(5000, lineFeed), 700)).toMatchObject({ length: 0, isOneWrite: true })
})
