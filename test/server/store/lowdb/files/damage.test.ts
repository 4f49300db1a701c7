import { copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import {
  type Manifest,
  manifestName,
  readManifest,
  writeManifest,
} from '../../../../../src/server/store/lowdb/files/manifest.js'
import { checkData } from '../../../../../src/server/store/lowdb/journal/data-tools.js'
import { encodeChecksumLine } from '../../../../../src/util/files/checksum-line.js'
import { temporaryFolder } from '../../../../temporary-folder.js'
import { accept, fill } from '../../rig.js'
import { copyFolder, openCopy, openStore } from '../lowdb-rig.js'

const snapshot = 'snapshot-000002.ndjson'
const journal = 'journal-000002.ndjson'

/** The directory of a running store with a snapshot and an open journal of three changes. */
async function createRunning() {
  const folder = await temporaryFolder()
  const first = await openStore(folder)
  await fill(first)
  await first.close()
  await (await openStore(folder, { compactAbove: 0 })).close()
  const store = await openStore(folder)
  for (const id of ['n1', 'n2', 'n3']) await accept(store, id)
  return { running: await copyFolder(folder), store, folder }
}

type Change = (bytes: string) => string

const withoutLastLine: Change = text => `${text.trimEnd().split('\n').slice(0, -1).join('\n')}\n`

test.each<[string, string, Change | undefined, object]>([
  ['the newest journal is missing', journal, undefined, { cause: 'missing' }],
  ['the snapshot is missing', snapshot, undefined, { cause: 'missing' }],
  ['the manifest is missing', manifestName, undefined, { cause: 'missing' }],
  ['the manifest is damaged', manifestName, text => text.replace('2', '3'), { cause: 'line' }],
  ['the manifest is empty', manifestName, () => '', { cause: 'line' }],
  ['the manifest is twice in the file', manifestName, text => text + text, { cause: 'line' }],
  ['the journal is empty', journal, () => '', { cause: 'end' }],
  ['the journal has no change', journal, text => `${text.split('\n', 1)}\n`, { cause: 'end' }],
  ['the journal ends after a line', journal, withoutLastLine, { cause: 'end', line: 3 }],
  ['a snapshot lacks its last line', snapshot, withoutLastLine, { cause: 'end' }],
  ['a snapshot is a whole one of other records', snapshot, () => otherSnapshot, { cause: 'other' }],
])('%s: the start refuses it and says what to type next', async (_, name, change, damage) => {
  const { running } = await createRunning()
  const path = join(running, name)
  if (change === undefined) await rm(path)
  else await writeFile(path, change(await readFile(path, 'utf8')))
  const [first] = (await checkData(running)).damages
  expect(first).toMatchObject({ file: name, kind: 'damaged', ...damage })
  await expect(openStore(running)).rejects.toMatchObject({
    code: 'damaged_data',
    message: expect.stringContaining(path),
    hint: expect.stringContaining(`smsrelay data repair --data ${running}`),
  })
})

const header = encodeChecksumLine({ smsrelay: 'snapshot', format: 3 })
const checksum = crc32(header).toString(16).padStart(8, '0')
const otherSnapshot = header + encodeChecksumLine({ records: 0, checksum, last: 0 })

test('a journal with changes that an older manifest does not name is damage', async () => {
  const { running, store, folder } = await createRunning()
  const older = await readFile(join(running, manifestName))
  await store.close()
  const again = await openStore(folder, {
    compactAbove: 0,
    runCompaction: (_, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', reject)),
  })
  await accept(again, 'n4', { text: 'x'.repeat(20_000) })
  await accept(again, 'n5')
  await again.close()
  await writeFile(join(folder, manifestName), older)
  const { damages } = await checkData(folder)
  expect(damages).toContainEqual(
    expect.objectContaining({ file: 'journal-000003.ndjson', cause: 'other' }),
  )
  await expect(openStore(folder)).rejects.toMatchObject({ code: 'damaged_data' })
})

test('an open journal with other changes under the same numbers is damage', async () => {
  const folders: string[] = []
  for (const text of ['first', 'other']) {
    const folder = await temporaryFolder()
    const store = await openStore(folder)
    for (const id of ['n1', 'n2']) await accept(store, id, { text })
    await store.close()
    const again = await openStore(folder)
    await accept(again, 'n3', { text })
    folders.push(await copyFolder(folder))
  }
  const [folder = '', other = ''] = folders
  const path = join(folder, 'journal-000001.ndjson')
  expect((await checkData(folder)).damages).toEqual([])
  await copyFile(join(other, 'journal-000001.ndjson'), path)
  const damage = { file: 'journal-000001.ndjson', cause: 'other' }
  expect((await checkData(folder)).damages).toMatchObject([damage])
})

test('a manifest of a newer format is refused with the program that reads it', async () => {
  const { running } = await createRunning()
  const stored = { smsrelay: 'manifest', format: 4, program: '9.8.7', journals: [] }
  await writeFile(join(running, manifestName), encodeChecksumLine(stored))
  await expect(openStore(running)).rejects.toMatchObject({
    code: 'configuration',
    message: expect.stringMatching(/ 4 .* 9\.8\.7 /),
  })
})

test('a closed journal must have exactly what the manifest says', async () => {
  const { store, folder } = await createRunning()
  await store.close()
  const { journals, ...rest } = (await readManifest(folder)) as Manifest
  const [entry] = journals
  if (entry === undefined) throw new Error('There is no journal.')
  for (const changed of [
    { ...entry, length: entry.length + 1 },
    { ...entry, last: entry.last - 1 },
    { ...entry, checksum: '00000000' },
  ]) {
    await writeManifest(folder, { ...rest, journals: [changed] })
    const { damages } = await checkData(folder)
    expect(damages).toMatchObject([{ file: journal, kind: 'damaged' }])
  }
  await writeManifest(folder, { ...rest, journals })
  expect((await checkData(folder)).damages).toEqual([])
  await openCopy(folder)
})
