import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import DataBackup from '../../commands/data/backup.js'
import DataCheck from '../../commands/data/check.js'
import DataExport from '../../commands/data/export.js'
import DataImport from '../../commands/data/import.js'
import DataRepair from '../../commands/data/repair.js'
import { RelayClient } from '../../src/index.js'
import { createRelay } from '../quick-relay.js'
import { temporaryFolder } from '../temporary-folder.js'
import { run, start } from './harness.js'

const texts = ['first', 'second', 'third']

async function startRelay() {
  const dataDir = join(await temporaryFolder(), 'data')
  const relay = await createRelay({ dataDir, port: 0 })
  await relay.start()
  const keys = await relay.administration.createAccount({ email: 'a@example.com' })
  const credentials = { user: keys.secret_key, password: keys.api_key }
  const client = new RelayClient({ url: relay.url, credentials })
  for (const message of texts) await client.messages.create({ destination: '5551212', message })
  return { dataDir, stop: () => relay.stop(), credentials }
}

async function textsIn(dataDir: string, credentials: { user: string; password: string }) {
  const relay = await createRelay({ dataDir, port: 0 })
  try {
    await relay.start()
    const client = new RelayClient({ url: relay.url, credentials })
    return (await client.messages.list({ order: 'asc' })).map(each => each.message)
  } finally {
    await relay.stop()
  }
}

/** Changes a byte in the line that contains this text. */
async function damage(dataDir: string, text: string): Promise<string> {
  const file = (await readdir(dataDir)).find(name => name.startsWith('journal')) ?? ''
  const bytes = await readFile(join(dataDir, file))
  bytes[bytes.indexOf(text)] = 0x58
  await writeFile(join(dataDir, file), bytes)
  return file
}

test('the data of a running relay is checked, exported and backed up', async () => {
  const { dataDir, stop, credentials } = await startRelay()
  const copy = join(await temporaryFolder(), 'copy')
  try {
    const checked = await run(DataCheck, ['--data', dataDir, '--json'])
    expect(checked).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(checked.stdout)).toMatchObject({
      damages: [],
      records: { account: 1, message: 3, event: 3 },
    })
    const exported = await run(DataExport, ['--data', dataDir])
    expect(exported.code).toBe(0)
    const kinds = exported.stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line).kind)
    expect(kinds.filter(kind => kind === 'message')).toHaveLength(3)
    expect((await run(DataBackup, [copy, '--data', dataDir])).code).toBe(0)
  } finally {
    await stop()
  }
  expect(await textsIn(copy, credentials)).toEqual(texts)
})

test('an import of an export creates the same data directory', async () => {
  const { dataDir, stop, credentials } = await startRelay()
  await stop()
  const { stdout } = await run(DataExport, ['--data', dataDir])
  const other = join(await temporaryFolder(), 'other')
  const imported = await run(DataImport, ['--data', other, '--json'], { stdin: stdout })
  expect(JSON.parse(imported.stdout)).toEqual({ records: stdout.trim().split('\n').length })
  expect((await run(DataExport, ['--data', other])).stdout).toBe(stdout)
  expect(await textsIn(other, credentials)).toEqual(texts)
})

test('damage prevents the start, check names it, and repair saves the other records', async () => {
  const { dataDir, stop, credentials } = await startRelay()
  await stop()
  const file = await damage(dataDir, 'second')
  await expect(createRelay({ dataDir })).rejects.toMatchObject({ code: 'damaged_data' })
  const checked = await run(DataCheck, ['--data', dataDir, '--json'])
  expect(checked.code).toBe(1)
  expect(JSON.parse(checked.stdout).damages).toMatchObject([{ file, kind: 'damaged' }])
  expect((await run(DataCheck, ['--data', dataDir])).stdout).toContain(`${file}: line `)
  expect((await run(DataExport, ['--data', dataDir])).code).toBe(1)

  const repaired = await run(DataRepair, ['--data', dataDir, '--json'])
  const moved = await readdir(JSON.parse(repaired.stdout).moved_to)
  expect(moved.sort()).toEqual([file, 'manifest.json'])
  expect((await run(DataCheck, ['--data', dataDir])).code).toBe(0)
  expect(await textsIn(dataDir, credentials)).toEqual(['first', 'third'])
})

test('import, repair and backup do not change a directory in use or with data', async () => {
  const { dataDir, stop } = await startRelay()
  const full = ['--data', dataDir, '--json']
  expect((await run(DataImport, full)).code).toBe(1)
  expect((await run(DataRepair, full)).stdout).toContain('directory_in_use')
  expect((await run(DataBackup, [dataDir, '--data', dataDir])).code).toBe(1)
  await stop()
  const again = await run(DataImport, full, { stdin: '{"kind":"token","key":"k","record":{}}' })
  expect(again.code).toBe(1)
  expect(again.stdout).toContain(dataDir)
})

describe('an import', () => {
  const account = {
    ...{ id: 'a', email: 'a@example.com', passwordHash: 'p', secretKey: 's', appKey: 'k' },
    ...{ apiKeyHash: 'h', country: 'US', mode: 'at-least-once', createdAt: 1 },
  }
  const valid = JSON.stringify({ kind: 'account', key: 'a', record: account })

  test.each([
    ['text that is not JSON', 'hello', 'line 1: line: '],
    ['a record of an unknown kind', `${valid}\n{"kind":"nothing"}`, 'line 2: kind: '],
    ['a wrong record', '{"kind":"token","key":"k","record":{}}\n', 'line 1: record.id: '],
    ['nothing', '', 'empty'],
  ])('of %s is refused and leaves nothing', async (_, stdin, reason) => {
    const folder = await temporaryFolder()
    for (const dataDir of [folder, join(folder, 'new')]) {
      const result = await run(DataImport, ['--data', dataDir], { stdin })
      expect(result).toMatchObject({ code: 1, stdout: '' })
      expect(result.stderr).toContain(reason)
      expect(await readdir(folder)).toEqual([])
    }
  })

  test('with --json lists the errors in the JSON', async () => {
    const flags = ['--data', join(await temporaryFolder(), 'new'), '--json']
    const { code, stdout } = await run(DataImport, flags, { stdin: '{}\n{}\n' })
    expect(code).toBe(1)
    const { error } = JSON.parse(stdout)
    expect(error.code).toBe('invalid_parameter')
    expect(error.details).toEqual([
      expect.stringContaining('line 1: kind: '),
      expect.stringContaining('line 2: kind: '),
    ])
  })

  test('that is interrupted while it reads leaves nothing', async () => {
    const folder = await temporaryFolder()
    const input = new PassThrough()
    const command = start(DataImport, ['--data', join(folder, 'new')], { input })
    input.write(`${valid}\n`)
    await new Promise(resolve => command.signals.once('newListener', resolve))
    command.signals.emit('SIGINT')
    expect((await command.ended).code).toBe(130)
    expect(await readdir(folder)).toEqual([])
  })

  test('replaces what a killed one left', async () => {
    const dataDir = await temporaryFolder()
    await writeFile(join(dataDir, 'snapshot-000001.ndjson.tmp'), 'half of a')
    expect((await run(DataCheck, ['--data', dataDir])).code).toBe(2)
    expect((await run(DataImport, ['--data', dataDir], { stdin: valid })).code).toBe(0)
    expect(await readdir(dataDir)).not.toContain('snapshot-000001.ndjson.tmp')
    expect((await run(DataExport, ['--data', dataDir])).stdout).toBe(`${valid}\n`)
  })

  test('of an export with every kind is exported as the same bytes', async () => {
    const fixture = await readFile('test/fixtures/data-directory.records.ndjson', 'utf8')
    const meta = ['events', 'ada message.create'].map(key => ({ key, record: { seq: 11 } }))
    const lines = meta.map(each => JSON.stringify({ kind: 'meta', ...each }))
    const stdin = `${fixture}${lines.join('\n')}\n`
    const flags = ['--data', join(await temporaryFolder(), 'new')]
    expect((await run(DataImport, flags, { stdin })).code).toBe(0)
    const { stdout } = await run(DataExport, flags)
    expect(stdout).toBe(stdin)
    const kinds = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line).kind)
    expect([...new Set(kinds)]).toHaveLength(13)
  })
})

describe.each([DataCheck, DataExport, DataBackup, DataRepair])('%o', command => {
  test.each([
    ['an empty directory', async (path: string) => await mkdir(path)],
    ['a path that does not exist', async () => {}],
    ['a file', async (path: string) => await writeFile(path, 'text')],
    ['a directory of other files', createOtherDirectory],
  ])('refuses %s, names it and creates nothing', async (_, create) => {
    const folder = await temporaryFolder()
    const path = join(folder, 'mistyped')
    await create(path)
    const before = await readdir(folder, { recursive: true })
    const target = command === DataBackup ? [join(folder, 'copy')] : []
    const result = await run(command, ['--data', path, ...target])
    expect(result).toMatchObject({ code: 2, stdout: '' })
    expect(result.stderr).toMatch(path)
    expect(result.stderr).toMatch(/--data.*manifest\.json.*journal-000001\.ndjson/s)
    expect(await readdir(folder, { recursive: true })).toEqual(before)
  })
})

async function createOtherDirectory(path: string): Promise<void> {
  await mkdir(join(path, 'journal-000001.ndjson.d'), { recursive: true })
  await writeFile(join(path, 'notes.ndjson'), '{}\n')
}

test('check, export and backup ignore the log of deliveries', async () => {
  const { dataDir, stop, credentials } = await startRelay()
  await stop()
  const before = await run(DataExport, ['--data', dataDir])
  const folder = join(dataDir, 'deliveries', 'a-subscription')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(join(folder, '2026-11-21.ndjson'), '{"id":"torn')
  const checked = await run(DataCheck, ['--data', dataDir, '--json'])
  expect(checked.code).toBe(0)
  expect(JSON.parse(checked.stdout).damages).toEqual([])
  expect((await run(DataExport, ['--data', dataDir])).stdout).toBe(before.stdout)
  const copy = join(await temporaryFolder(), 'copy')
  expect((await run(DataBackup, [copy, '--data', dataDir])).code).toBe(0)
  expect(await readdir(copy)).not.toContain('deliveries')
  expect(await textsIn(copy, credentials)).toEqual(texts)
  expect(await textsIn(dataDir, credentials)).toEqual(texts)
})
