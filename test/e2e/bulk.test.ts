import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findFreePort } from '../../tools/ports/free-ports.js'
import { type Home, makeHome, type Running } from './program.js'

const rows = 400

test('each row of a table is accepted once, despite kills, interrupts and a restart', async () => {
  const home = await makeHome(undefined, {})
  const file = join(home.dir, 'table.csv')
  const lines = Array.from({ length: rows }, (_, at) => `+1202${2_000_000 + at};N${at}`)
  await writeFile(file, ['phone;name', ...lines].join('\r\n'))
  const relay = ['--port', String(await findFreePort()), '--data', join(home.dir, 'data')]
  const serve = async () => {
    const running = home.start(['serve', ...relay, '--json'])
    await running.line(line => line.event === 'listening')
    return running
  }
  const first = await serve()
  // The rate makes batches of 10 rows, so that kills come between them.
  const flags = ['--text', 'Hi {name}', '--rate', '100/s', '--json']
  const send = () => home.start(['message', 'send', '--csv', file, ...flags])

  for (let kill = 0; kill < 2; kill += 1) {
    const sending = send()
    await accepted(sending, 40)
    expect(await sending.end('SIGKILL')).toBe(null)
  }
  const interrupted = send()
  await accepted(interrupted, 40)
  expect(await interrupted.end('SIGINT')).toBe(130)
  const end = ended(await interrupted.ended)
  expect(end).toMatchObject({ reason: 'interrupted', rows })

  const going = send()
  await accepted(going, 40)
  await first.end('SIGKILL')
  const second = await serve()
  const done = await going.ended
  expect(done.code).toBe(0)
  expect(ended(done)).toMatchObject({ reason: 'done', accepted: rows })

  const texts = await allTexts(home)
  expect(texts.length).toBe(rows)
  expect(new Set(texts).size).toBe(rows)
  await second.end('SIGTERM')
}, 480_000)

/** Waits until this many rows are accepted. */
async function accepted(sending: Running, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) await sending.line(line => line.status === 'accepted')
}

function ended({ stdout }: { stdout: string }): Record<string, unknown> {
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
}

async function allTexts(home: Home): Promise<string[]> {
  const texts: string[] = []
  for (let start = 0; ; start += 100) {
    const page = ['--filter', 'all', '--start', String(start), '--count', '100', '--json']
    const { stdout } = await home.run(['message', 'list', ...page])
    const messages: { message: string }[] = JSON.parse(stdout)
    texts.push(...messages.map(each => each.message))
    if (messages.length < 100) return texts
  }
}
