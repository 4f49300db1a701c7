import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import DataBackup from '../../../commands/data/backup.js'
import DataCheck from '../../../commands/data/check.js'
import DataExport from '../../../commands/data/export.js'
import DataImport from '../../../commands/data/import.js'
import DataRepair from '../../../commands/data/repair.js'
import {
  backupDirectory,
  checkDirectory,
  exportDirectory,
  importDirectory,
} from '../../../src/server/data-directory.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { run } from '../harness.js'
import { startRelay, texts, textsIn } from './data-rig.js'

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
    expect(await readdir(copy)).toEqual(['journal-000001.ndjson', 'manifest.json'])
    expect((await run(DataExport, ['--data', copy])).stdout).toBe(exported.stdout)
  } finally {
    await stop()
  }
  expect(await textsIn(copy, credentials)).toEqual(texts)
})

test('commands report their progress up to all bytes and records', async () => {
  const { dataDir, stop } = await startRelay()
  await stop()
  const steps: [number, number][] = []
  const onProgress = (finished: number, total: number) => steps.push([finished, total])
  const takeSteps = () => steps.splice(0)
  await checkDirectory(dataDir, onProgress)
  const checked = takeSteps()
  const [bytes = 0] = checked.at(-1) ?? []
  expect(bytes).toBeGreaterThan(1000)
  for (const [finished, total] of checked) expect([finished <= total, total]).toEqual([true, bytes])
  await backupDirectory(dataDir, join(await temporaryFolder(), 'copy'), onProgress)
  expect(takeSteps().at(-1)).toEqual([2 * bytes, 2 * bytes])
  const lines: Buffer[] = []
  for await (const record of exportDirectory(dataDir, onProgress))
    lines.push(Buffer.from(`${JSON.stringify(record)}\n`))
  expect(takeSteps().at(-1)).toEqual([lines.length, lines.length])
  const other = join(await temporaryFolder(), 'other')
  await importDirectory(other, Readable.from(lines), { onProgress })
  expect(takeSteps().at(-1)).toEqual([lines.length, lines.length])
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
