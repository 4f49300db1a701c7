// The default time limits of connections, on a fake clock. The server checks them once a second.
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { FakeClock } from '../../util/async/fake-clock.js'
import { openConnection, readStatuses } from './client-connection.js'
import { formatRequest, startEcho } from './test-server.js'

const head = 'POST / HTTP/1.1\r\nHost: relay\r\n'
const length = `${head}Content-Length: 61440\r\n\r\n`
const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n`
const toChunk = (data: string) => `${data.length.toString(16)}\r\n${data}\r\n`
const toBytes = (data: string) => data

/** A connection whose client sends `start`, then what `each` returns for every second. */
async function open(start: string, each: (second: number) => string = () => '') {
  const clock = new FakeClock()
  const { port } = await startEcho({}, { clock })
  const connection = await openConnection(port)
  await connection.write(start)
  let second = 0
  const passUntil = async (end: number): Promise<void> => {
    for (; second < end; second += 1) {
      if (second > 0) await connection.write(each(second))
      await turn()
      clock.advance(1000)
      await turn()
    }
  }
  return { ...connection, passUntil }
}

describe('a request gets 408', () => {
  test.each([
    ['without a byte', '', ''],
    ['with half a head', 'NEXT /api/1/message HTTP/1.1\r\nHost: ', ''],
    ['with a head that arrives slowly', 'GET / HTTP/1.1\r\nHost: relay\r\nX: ', 'x'],
  ])('%s after 10 seconds', async (_, start, each) => {
    const { passUntil, received, closed } = await open(start, () => each)
    await passUntil(10)
    expect(received()).toBe('')
    await passUntil(12)
    await closed
    expect(readStatuses(received())).toEqual([408])
  })

  test.each([
    ['no body', length, 0, 10, toBytes],
    ['a body of 512 bytes a second', length, 512, 19, toBytes],
    ['chunks of 512 bytes a second', chunked, 512, 19, toChunk],
  ])('with %s', async (_, start, rate, seconds, format) => {
    const { passUntil, received, closed } = await open(start, () => format('x'.repeat(rate)))
    await passUntil(seconds)
    expect(received()).toBe('')
    await passUntil(seconds + 4)
    await closed
    expect(readStatuses(received())).toEqual([408])
  })
})

test.each([
  ['48 KiB', 48 * 1024, 1024],
  ['1 MiB', 1024 * 1024, 18 * 1024],
])('a body of %s is read to its end if all of it comes within 60 seconds', async (...given) => {
  const [, size, rate] = given
  const start = `${head}Content-Length: ${size}\r\n\r\n`
  const left = (second: number) => Math.max(0, size - (second - 1) * rate)
  const send = (second: number) => 'x'.repeat(Math.min(rate, left(second)))
  const { passUntil, replies } = await open(start, send)
  await passUntil(Math.ceil(size / rate) + 1)
  expect(readStatuses((await replies(1))[0] ?? '')).toEqual([200])
})

test('a body of 1 MiB gets 408 after 60 seconds at 16 KiB a second', async () => {
  const start = `${head}Content-Length: ${1024 * 1024}\r\n\r\n`
  const { passUntil, received, closed } = await open(start, () => 'x'.repeat(16 * 1024))
  await passUntil(60)
  expect(received()).toBe('')
  await passUntil(62)
  await closed
  expect(readStatuses(received())).toEqual([408])
})

describe('a connection that sends only empty lines is closed within the time of a head', () => {
  const pieces: readonly (readonly [string, (second: number) => string])[] = [
    ['CR LF', () => '\r\n'],
    ['CR, then LF', second => (second % 2 === 0 ? '\n' : '\r')],
    ['LF CR', second => (second === 1 ? '\r' : '\n\r')],
    ['CR LF every third second', second => (second % 3 === 0 ? '\r\n' : '')],
  ]

  test.each(pieces)('%s as its first bytes', async (_, each) => {
    const { passUntil, received, closed } = await open('', each)
    await passUntil(12)
    await closed
    expect(readStatuses(received())).toEqual([408])
  })

  test.each(pieces)('%s after a request', async (_, each) => {
    const { passUntil, replies, received, closed } = await open(formatRequest('GET /'), each)
    await replies(1)
    await passUntil(16)
    await closed
    expect(readStatuses(received())).toEqual([200, 408])
  })
})

test('empty lines that arrive with a request do not shorten the wait for the next', async () => {
  const { passUntil, replies, write } = await open(`${formatRequest('GET /')}\r\n\r\n`)
  await replies(1)
  await passUntil(70)
  await write(formatRequest('GET /'))
  expect(await replies(2)).toHaveLength(2)
})

test('a body that the client holds back after the reply ends the connection', async () => {
  const { passUntil, closed, received } = await open(length.replace('/', '/early'))
  await passUntil(13)
  await closed
  expect(readStatuses(received())).toEqual([404])
})

test('a connection stays open for 75 seconds without a request', async () => {
  const { passUntil, received, replies, closed, write } = await open(formatRequest('GET /'))
  const [reply = ''] = await replies(1)
  expect(reply).toContain('\r\nKeep-Alive: timeout=75\r\n')
  await passUntil(75)
  await write(formatRequest('GET /'))
  await replies(2)
  await passUntil(75 + 75)
  expect(readStatuses(received())).toEqual([200, 200])
  await passUntil(75 + 79)
  await closed
})
