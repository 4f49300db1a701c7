import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import DataBackup from '../../../commands/data/backup.js'
import DataCheck from '../../../commands/data/check.js'
import DataExport from '../../../commands/data/export.js'
import DataImport from '../../../commands/data/import.js'
import DataRepair from '../../../commands/data/repair.js'
import { createRelay } from '../../quick-relay.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { run } from '../harness.js'
import { startRelay, textsIn } from './data-rig.js'

/** Changes a byte in the line that contains this text. */
async function damage(dataDir: string, text: string): Promise<string> {
  const file = (await readdir(dataDir)).find(name => name.startsWith('journal')) ?? ''
  const bytes = await readFile(join(dataDir, file))
  bytes[bytes.indexOf(text)] = 0x58
  await writeFile(join(dataDir, file), bytes)
  return file
}

test('damage prevents the start, check names it, and repair saves the other records', async () => {
  const { dataDir, stop, credentials } = await startRelay()
  await stop()
  const file = await damage(dataDir, 'second')
  await expect(createRelay({ dataDir })).rejects.toMatchObject({ code: 'damaged_data' })
  const checked = await run(DataCheck, ['--data', dataDir, '--json'])
  expect(checked.code).toBe(1)
  expect(JSON.parse(checked.stdout).damages).toMatchObject([{ file, kind: 'damaged' }])
  expect((await run(DataCheck, ['--data', dataDir])).stdout).toContain(
    `${file} is damaged at line `,
  )
  expect((await run(DataExport, ['--data', dataDir])).code).toBe(1)

  const repaired = await run(DataRepair, ['--data', dataDir, '--json'])
  const moved = await readdir(JSON.parse(repaired.stdout).moved_to)
  expect(moved.sort()).toEqual([file, 'manifest.json'])
  expect((await run(DataCheck, ['--data', dataDir])).code).toBe(0)
  expect(await textsIn(dataDir, credentials)).toEqual(['first', 'third'])
})

/** Replaces a file of the directory; undefined removes it. */
async function replaceFile(path: string, change: (bytes: Buffer) => Buffer | undefined) {
  const changed = change(await readFile(path))
  if (changed === undefined) await rm(path)
  else await writeFile(path, changed)
}

const withZeros = (bytes: Buffer) => Buffer.from(bytes).fill(0, 20, 30)
const withoutLastLine = (bytes: Buffer) => bytes.subarray(0, bytes.lastIndexOf(10, -2) + 1)

describe.each([
  ['a missing manifest', 'manifest.json', () => undefined],
  ['a damaged manifest', 'manifest.json', withZeros],
  ['a missing snapshot', 'snapshot-000001.ndjson', () => undefined],
  ['a damaged snapshot', 'snapshot-000001.ndjson', withZeros],
  ['a snapshot without footer', 'snapshot-000001.ndjson', withoutLastLine],
  ['a missing journal', 'journal-000002.ndjson', () => undefined],
  ['a damaged journal', 'journal-000002.ndjson', withZeros],
  ['a journal without its last line', 'journal-000002.ndjson', withoutLastLine],
] as const)('a directory with %s', (_, name, change) => {
  async function damageDirectory() {
    const { dataDir, stop, credentials } = await startRelay()
    await stop()
    const { stdout } = await run(DataExport, ['--data', dataDir])
    const other = join(await temporaryFolder(), 'other')
    await run(DataImport, ['--data', other], { stdin: stdout })
    await textsIn(other, credentials)
    const [journal = ''] = (await readdir(other)).filter(each => each.startsWith('journal'))
    const file = name.startsWith('journal') ? journal : name
    await replaceFile(join(other, file), change)
    return { dataDir: other, file, credentials }
  }

  test('is refused by start, check, export and backup, and works after a repair', async () => {
    const { dataDir, file } = await damageDirectory()
    const flags = ['--data', dataDir]
    const before = await readdir(dataDir)
    await expect(createRelay({ dataDir })).rejects.toMatchObject({ code: 'damaged_data' })
    const checked = await run(DataCheck, flags)
    expect(checked.code).toBe(1)
    expect(checked.stdout).toContain(join(dataDir, file))
    expect(checked.stdout).toContain(`data repair --data ${dataDir}`)
    expect(await run(DataExport, flags)).toMatchObject({ code: 1, stdout: '' })
    const copy = join(await temporaryFolder(), 'copy')
    expect((await run(DataBackup, [copy, ...flags])).code).toBe(1)
    await expect(readdir(copy)).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await readdir(dataDir)).toEqual(before)

    const repaired = await run(DataRepair, [...flags, '--json'])
    const report = JSON.parse(repaired.stdout)
    expect(report.damages[0]).toMatchObject({ file, message: expect.stringContaining(file) })
    expect(await readdir(report.moved_to)).toEqual(before)
    expect((await run(DataCheck, flags)).code).toBe(0)
    expect((await run(DataBackup, [copy, ...flags])).code).toBe(0)
    const exported = await run(DataExport, flags)
    expect((await run(DataExport, ['--data', copy])).stdout).toBe(exported.stdout)
    await (await createRelay({ dataDir })).stop()
    expect((await run(DataCheck, ['--data', copy])).code).toBe(0)
  })
})

test('repair of an undamaged directory changes nothing', async () => {
  const { dataDir, stop } = await startRelay()
  await stop()
  const before = await readdir(dataDir)
  const { code, stdout } = await run(DataRepair, ['--data', dataDir, '--json'])
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ moved_to: null, damages: [] })
  expect(await readdir(dataDir)).toEqual(before)
})
