import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeChecksumBytes } from '../../../src/util/files/checksum-line.js'
import { TornTail } from '../../../src/util/files/torn-tail.js'

const sector = 512
const lineFeed = 10

/** The torn tail that a reader finds in bytes at an offset. */
function readTail(bytes: Buffer, from: number): TornTail {
  const tail = new TornTail(from)
  let start = 0
  for (let at = 0; at <= bytes.length; at += 1) {
    if (at < bytes.length && bytes[at] !== lineFeed) continue
    if (at > start) tail.add(bytes.subarray(start, at), from + start)
    start = at + 1
  }
  return tail
}

/** A line of which only the sectors in `written` are on the disk. */
function tear(line: Buffer, from: number, written: readonly boolean[], size: number): Buffer {
  const has = (at: number): boolean =>
    written[Math.floor((from + at) / size) % written.length] === true
  return Buffer.from(line.map((byte, at) => (has(at) ? byte : lineFeed)))
}

const lines = fc.string({ minLength: 1, maxLength: 9000 }).map(text => encodeChecksumBytes([text]))
const offsets = fc.nat(3 * sector)

test('any sectors of a line can be left by one write', () => {
  const sectors = fc.array(fc.boolean(), { minLength: 1, maxLength: 20 })
  const sizes = fc.constantFrom(sector, 4096)
  fc.assert(
    fc.property(lines, offsets, sectors, sizes, (line, from, written, size) => {
      const bytes = tear(line, from, written, size)
      fc.pre(!bytes.equals(line))
      const tail = readTail(bytes, from)
      expect(tail.isOneWrite).toBe(true)
      expect(tail.length).toBe(bytes.findLastIndex(byte => byte !== lineFeed) + 1)
    }),
  )
})

test('a line that ends at any byte can be left by one write, preallocated or not', () => {
  fc.assert(
    fc.property(lines, offsets, fc.nat(), fc.nat(2000), (line, from, cut, free) => {
      const part = line.subarray(0, cut % (line.length - 1))
      const tail = readTail(Buffer.concat([part, Buffer.alloc(free, lineFeed)]), from)
      expect(tail.isOneWrite).toBe(true)
      expect(tail.length).toBe(part.length)
    }),
  )
})

test('zeros in place of preallocated space can be left by one write', () => {
  fc.assert(
    fc.property(lines, offsets, fc.nat(2000), (line, from, free) => {
      const space = Buffer.concat([Buffer.alloc(free, lineFeed), Buffer.alloc(700)])
      expect(readTail(space, from).isOneWrite).toBe(true)
      const half = line.subarray(0, line.length >> 1)
      expect(readTail(Buffer.concat([half, Buffer.from('\n'), space]), from).isOneWrite).toBe(true)
    }),
  )
})

test('two lines cannot be left by one write, unless they meet at a sector', () => {
  fc.assert(
    fc.property(lines, lines, offsets, (first, second, from) => {
      const boundary = from + first.length
      fc.pre(boundary % sector > 1)
      const bytes = Buffer.concat([first, second])
      bytes[3] = 0x5a
      bytes[first.length + 3] = 0x5a
      expect(readTail(bytes, from).isOneWrite).toBe(false)
    }),
  )
})

test('a line with an overwritten line feed cannot be left by one write', () => {
  fc.assert(
    fc.property(lines, lines, offsets, (first, second, from) => {
      const bytes = Buffer.concat([first, second])
      bytes[first.length - 1] = 0x5a
      expect(readTail(bytes, from).isOneWrite).toBe(false)
    }),
  )
})

test('preallocated bytes are no tail', () => {
  expect(readTail(Buffer.alloc(5000, lineFeed), 700)).toMatchObject({ length: 0, isOneWrite: true })
})
