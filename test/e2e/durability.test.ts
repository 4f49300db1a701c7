import { open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { JournalFile } from '../../src/server/store/lowdb/files/journal-file.js'
import {
  type JournalEntry,
  readManifest,
  writeManifest,
} from '../../src/server/store/lowdb/files/manifest.js'
import type { Entry } from '../../src/server/store/lowdb/records/collections.js'
import { isFullRun } from '../tier.js'
import { makeHome, serve } from './program.js'

test.runIf(isFullRun)('a message survives a kill of the relay right after the reply', async () => {
  const home = await makeHome()
  let relay = await serve(home)
  for (let round = 0; round < 3; round += 1) {
    const sent = await home.run(['message', 'send', '+12025550123', `round ${round}`, '--json'])
    await relay.end('SIGKILL')
    relay = await serve(home)
    const got = await home.run(['message', 'get', JSON.parse(sent.stdout).id, '--json'])
    expect(got.code).toBe(0)
    expect(JSON.parse(got.stdout)).toMatchObject({ message: `round ${round}`, status: 'N' })
  }
  expect(await relay.end('SIGTERM')).toBe(0)
})

test('all messages with a reply survive a kill under load', async () => {
  const home = await makeHome()
  const relay = await serve(home)
  const token = JSON.parse((await home.run(['token', 'issue', '--json'])).stdout).access_token
  const accepted: string[] = []
  const create = async (text: string): Promise<void> => {
    const response = await fetch(`${relay.url}/api/1/message`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: { destination: '+12025550123', message: text } }),
    })
    accepted.push(((await response.json()) as { message: { id: string } }).message.id)
    if (accepted.length === 150) relay.child.kill('SIGKILL')
  }
  const worker = async (name: number): Promise<void> => {
    for (let i = 0; ; i += 1) await create(`${name} ${i}`)
  }
  await Promise.allSettled(Array.from({ length: 16 }, (_, name) => worker(name)))
  await relay.ended
  expect(accepted.length).toBeGreaterThanOrEqual(150)

  await serve(home)
  const stored = new Set<string>()
  for (let start = 0; ; start += 100) {
    const flags = ['--start', String(start), '--count', '100', '--order', 'asc', '--json']
    const page = JSON.parse((await home.run(['message', 'list', ...flags])).stdout)
    for (const message of page) stored.add(message.id)
    if (page.length < 100) break
  }
  expect(accepted.filter(id => !stored.has(id))).toEqual([])
})

test.runIf(isFullRun)('an import that is killed leaves no data, and can be repeated', async () => {
  const home = await makeHome()
  const source = await serve(home)
  await home.run(['message', 'send', '+12025550123', 'hello'])
  await source.end('SIGTERM')
  const data = (name: string): string[] => ['--data', join(home.dir, name)]
  const { stdout } = await home.run(['data', 'export', ...data('data')])
  const lines = stdout.trimEnd().split('\n')
  const message = JSON.parse(lines.find(line => line.includes('"kind":"message"')) ?? '')
  const many = Array.from({ length: 10_000 }, (_, number) => {
    const id = message.key.slice(0, -12) + String(number).padStart(12, '0')
    return JSON.stringify({ ...message, key: id, record: { ...message.record, id } })
  })
  const input = `${[...lines, ...many].join('\n')}\n`

  const whole = performance.now()
  expect((await home.run(['data', 'import', ...data('whole')], input)).code).toBe(0)
  const duration = performance.now() - whole
  const expected = (await home.run(['data', 'export', ...data('whole')])).stdout
  let isDone = false
  for (const part of [0.6, 0.8, 0.95]) {
    const running = home.start(['data', 'import', ...data('copy')])
    running.child.stdin.on('error', () => {})
    running.child.stdin.end(input)
    const timer = setTimeout(() => running.child.kill('SIGKILL'), part * duration)
    await running.ended
    clearTimeout(timer)
    const { code } = await home.run(['data', 'check', ...data('copy')])
    isDone = code === 0
    if (isDone) break
    expect(code).toBe(2)
  }
  if (!isDone) {
    expect((await home.run(['data', 'import', ...data('copy')], input)).code).toBe(0)
  }
  expect((await home.run(['data', 'export', ...data('copy')])).stdout).toBe(expected)
})

test.runIf(isFullRun)(
  'a second relay is refused without the socket of the first until that ends',
  async () => {
    const home = await makeHome()
    const relay = await serve(home)
    const data = join(home.dir, 'data')
    for (const name of await readdir(data)) {
      if (name.startsWith('lock')) await rm(join(data, name))
    }
    const second = await home.run(['serve', '--port', '0', '--data', data, '--json'])
    expect(second.code).toBe(1)
    expect(JSON.parse(second.stdout).error.code).toBe('directory_in_use')
    await relay.end('SIGKILL')
    await serve(home)
  },
)

test.runIf(isFullRun)(
  'status and check show damage that a compaction finds, and the relay goes on',
  async () => {
    const home = await makeHome()
    await (await serve(home)).end('SIGTERM')
    const data = join(home.dir, 'data')
    await growJournal(data, (16 << 20) - 2000)
    const relay = await serve(home)
    const journal = await open(join(data, 'journal-000001.ndjson'), 'r+')
    await journal.write('Z', 5000)
    await journal.close()
    for (const name of ['a', 'b', 'c'])
      await home.run(['message', 'send', '+12025550123', name.repeat(1000)])
    await expect
      .poll(async () => JSON.parse((await home.run(['status', '--json'])).stdout).warnings)
      .toContainEqual(expect.objectContaining({ code: 'store_damaged' }))
    const sent = await home.run(['message', 'send', '+12025550123', 'later', '--json'])
    expect(sent.code).toBe(0)
    const checked = await home.run(['data', 'check', '--data', data, '--json'])
    expect(checked.code).toBe(1)
    expect(JSON.parse(checked.stdout).damages).toMatchObject([
      { file: 'journal-000001.ndjson', kind: 'damaged', cause: 'line' },
    ])
    expect(await relay.end('SIGTERM')).toBe(0)
  },
)

/** Adds a record of no account to the journal of a stopped relay until it has so many bytes. */
async function growJournal(directory: string, length: number): Promise<void> {
  const manifest = await readManifest(directory)
  if (typeof manifest === 'string') throw new Error(`The manifest is ${manifest}.`)
  const [entry] = manifest.journals
  const journal = await JournalFile.open(directory, entry as JournalEntry)
  const block = (size: number): Entry => [
    'block',
    'nobody +1',
    { scope: 'nobody', number: '+1', at: 1, reason: 'person', note: 'x'.repeat(size) },
  ]
  while (journal.length < length - 100_000) await journal.append([block(99_000)])
  if (journal.length < length - 300) await journal.append([block(length - journal.length - 300)])
  await journal.close({ isInManifest: true })
  await writeManifest(directory, { ...manifest, journals: [journal.entry] })
}
