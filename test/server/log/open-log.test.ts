import { closeSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import type { LogFormat } from '../../../src/domain/log-level.js'
import { openLog } from '../../../src/server/log/open-log.js'
import { createDefectReporter } from '../../../src/server/log/report-defect.js'
import { createClock } from '../../../src/util/async/clock.js'
import { createSink } from '../../cli/streams.js'
import { openPipe, readPipe } from './unread-pipe.js'

const now = () => Date.UTC(2026, 10, 21, 8, 0, 0, 5)
const time = '2026-11-21T08:00:00.005Z'
const clock = { ...createClock(), now }

function start(format: LogFormat = 'json', isTTY = false) {
  const { stream, text } = createSink()
  const log = openLog({ stream: Object.assign(stream, { isTTY }), level: 'info', format, clock })
  return { log, text }
}

test('an event is one line of JSON with time, level, event, sentence and fields', () => {
  const { log, text } = start()
  log.write('warn', 'request', 'GET /: 503', { status: 503, error: { code: 'unavailable' } })
  expect(text()).toBe(
    `{"level":"warn","time":"${time}","event":"request","status":503,` +
      `"error":{"code":"unavailable"},"msg":"GET /: 503"}\n`,
  )
})

test('text has time, level, sentence and fields on one line', () => {
  const { log, text } = start('text')
  const fields = { method: 'GET', route: '/', status: 404, request: 'a-1', url: 'a b' }
  log.write('info', 'request', 'GET /: 404\n', { ...fields, error: { code: 'not_found' } })
  expect(text()).toBe(`${time} info  GET /: 404  request=a-1 url="a b" error=not_found\n`)
})

test.each<[LogFormat, boolean, boolean]>([
  ['auto', true, true],
  ['auto', false, false],
  ['text', false, true],
  ['json', true, false],
])('the format %s with a terminal: %s is text: %s', (format, isTTY, isText) => {
  const { log, text } = start(format, isTTY)
  log.write('info', 'x', 'X.')
  expect([log.isText, text().startsWith('{')]).toEqual([isText, !isText])
})

test('the level can be changed while the log is open', () => {
  const { log, text } = start()
  log.write('debug', 'x', 'Hidden.')
  log.setLevel('debug')
  expect(log.isEnabled('debug')).toBe(true)
  log.write('debug', 'x', 'Shown.')
  log.setLevel('error')
  log.write('warn', 'x', 'Hidden again.')
  expect(text().match(/"msg":"[^"]*"/g)).toEqual(['"msg":"Shown."'])
})

test('an unexpected error has its request, code and stack, without numbers and secrets', () => {
  const { log, text } = start()
  const secrets = ['+12025550143', 'srt_abc-DEF_9', 'whsec_aB+/9=', 'user:pass', 'token=x']
  const [number, token, signing, login, query] = secrets
  const message = `${number} ${token} ${signing} http://${login}@host/?${query} Bearer ${token}`
  const error = Object.assign(new Error(message), { code: 'EIO' })
  createDefectReporter(log, true)(error, 'a-1')
  createDefectReporter(log, false)('hello')
  const [first, second] = text()
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(first).toMatchObject({ level: 'error', event: 'internal_error', request: 'a-1' })
  expect(first.error).toMatchObject({ code: 'EIO', stack: expect.stringContaining('    at ') })
  expect(first.error.message).toBe('… srt_… whsec_… http://…@host/?… Bearer …')
  for (const secret of secrets) expect(text()).not.toContain(secret)
  expect(second.error).toEqual({ message: 'hello' })
})

test('lines beyond 1 MiB that nobody reads are dropped, counted and reported', async () => {
  const { reader, stream } = await openPipe()
  await using log = openLog({ stream, level: 'info', format: 'json', clock })
  for (let count = 0; count < 20_000; count += 1) log.write('info', 'x', 'A line.', { url: 'u' })
  expect(log.dropped).toBeGreaterThan(1000)
  const { dropped } = log
  let text = ''
  await expect
    .poll(() => {
      text += readPipe(reader)
      return text
    })
    .toContain('log_dropped')
  const lines = text.trim().split('\n')
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ level: 'warn', dropped })
  expect(lines).toHaveLength(20_000 - dropped + 1)
})

test('a log that nobody reads ends after a second, and ignores later events', async () => {
  const { stream } = await openPipe()
  onTestFinished(() => closeSync(stream.fd))
  const waits: number[] = []
  const sleep = async (milliseconds: number): Promise<void> => void waits.push(milliseconds)
  const log = openLog({ stream, level: 'info', format: 'json', clock: { now, sleep } })
  for (let count = 0; count < 5000; count += 1) log.write('info', 'x', 'A line.')
  await log[Symbol.asyncDispose]()
  await log[Symbol.asyncDispose]()
  log.write('info', 'x', 'Too late.')
  expect(waits).toEqual([1000])
})
