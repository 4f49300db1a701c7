import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  EventStreamParser,
  type StreamMessage,
} from '../../../src/client/event-stream/event-stream-parser.js'
import { scale } from '../../tier.js'

function parse(pieces: readonly string[]) {
  const parser = new EventStreamParser()
  const messages = pieces.flatMap(piece => parser.push(piece))
  return { messages, retry: parser.retry }
}

/** The algorithm of the standard, on a whole stream at once. */
function model(text: string) {
  const lines = text.split(/\r\n|\r|\n/)
  lines.pop()
  const messages: StreamMessage[] = []
  let [data, type, idBuffer, id] = ['', '', '', '']
  let retry: number | undefined
  const process = (field: string, value: string): void => {
    if (field === 'event') type = value
    if (field === 'data') data += `${value}\n`
    if (field === 'id' && !value.includes('\u0000')) idBuffer = value
    if (field === 'retry' && value !== '' && [...value].every(c => c >= '0' && c <= '9')) {
      retry = Number.parseInt(value, 10)
    }
  }
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (line === '') {
      id = idBuffer
      if (data !== '') {
        messages.push({ id, event: type || 'message', data: data.replace(/\n$/, '') })
      }
      data = ''
      type = ''
    } else if (colon > 0) {
      const value = line.slice(colon + 1)
      process(line.slice(0, colon), value.startsWith(' ') ? value.slice(1) : value)
    } else if (colon < 0) process(line, '')
  }
  return { messages, retry }
}

const line = fc.oneof(
  fc.constantFrom('', '', '', ':', ': beat', 'data', 'data:', 'data: ', 'event:', 'id', 'id: a\0b'),
  fc.constantFrom('retry: 5', 'retry: x', 'retry:', 'Data: x', ' data: x', 'data : x', 'nonsense'),
  fc
    .tuple(
      fc.constantFrom('data', 'event', 'id', 'retry', 'x'),
      fc.stringMatching(/^[ :a-z0-9ü]{0,5}$/),
    )
    .map(([name, value]) => `${name}:${value}`),
)
const stream = fc
  .array(fc.tuple(line, fc.constantFrom('\n', '\r', '\r\n')), { maxLength: 25 })
  .map(lines => lines.flat().join(''))

test('property: a stream in any pieces is parsed as in the standard', () => {
  const check = (text: string, rest: string, offsets: readonly number[]): void => {
    const whole = text + rest
    const cuts = [0, ...offsets.map(at => Math.min(at, whole.length)), whole.length]
    const ends = cuts.toSorted((a, b) => a - b)
    const pieces = ends.slice(1).map((end, at) => whole.slice(ends[at], end))
    // A message that no empty line ends is dropped.
    expect(parse(pieces)).toEqual(model(text))
  }
  const rest = fc.constantFrom('', 'data: half', 'id: 7', ':')
  const property = fc.property(stream, rest, fc.array(fc.nat(150), { maxLength: 9 }), check)
  fc.assert(property, { numRuns: scale(1000) })
})

describe('a message', () => {
  test.each([
    ['LF', 'data: x\n\n'],
    ['CR', 'data: x\r\r'],
    ['CRLF', 'data: x\r\n\r\n'],
  ])('ends with %s', (_, text) => {
    expect(parse([text]).messages).toEqual([{ id: '', event: 'message', data: 'x' }])
  })

  test('has the last identifier, even of a message without data', () => {
    const { messages } = parse(['id: 5\n\n', 'data: x\n\n', 'id\ndata: y\n\n'])
    expect(messages.map(({ id }) => id)).toEqual(['5', ''])
  })

  test('without an end is rejected at the maximum length', () => {
    const parser = new EventStreamParser()
    const push = () => {
      for (let n = 0; n < 40; n += 1) parser.push('x'.repeat(64 * 1024))
    }
    expect(push).toThrow('1048576')
  })
})
