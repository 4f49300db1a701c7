import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  type Manifest,
  readManifest,
  writeManifest,
} from '../../../../../src/server/store/lowdb/files/manifest.js'
import { compactJournals } from '../../../../../src/server/store/lowdb/journal/compact-journals.js'
import { inspectData } from '../../../../../src/server/store/lowdb/journal/inspect-data.js'
import { temporaryFolder } from '../../../../temporary-folder.js'
import { accept, listMessages, messageWith } from '../../rig.js'
import { openStore } from '../lowdb-rig.js'

/** Compacts all files of a closed directory. */
async function compact(directory: string, target: string): Promise<void> {
  const { snapshot, journals } = (await readManifest(directory)) as Manifest
  const compacted = await compactJournals({ directory, snapshot, journals, target })
  await writeManifest(directory, { snapshot: compacted, journals: [] })
}

test('a compaction keeps the order of creation; a message created again is last', async () => {
  const folder = await temporaryFolder()
  const store = await openStore(folder)
  for (const id of ['m1', 'm2', 'm3']) await accept(store, id)
  await store.close()
  await compact(folder, 'snapshot-000002.ndjson')

  const again = await openStore(folder)
  await again.messages.change('a', 'm1', () => ({ message: null }))
  await again.messages.change('a', 'm2', found => ({
    message: found ? { ...found, text: 'new' } : null,
  }))
  await accept(again, 'm4')
  await accept(again, 'm1')
  await again.close()
  const expected = ['m2', 'm3', 'm4', 'm1']
  await compact(folder, 'snapshot-000003.ndjson')
  const { data, damages } = await inspectData(folder)
  expect([...data.message.keys()]).toEqual(expected)
  expect(damages).toEqual([])
  expect((await listMessages(await openStore(folder))).map(each => each.id)).toEqual(expected)
})

test('a compaction rejects changed fields of a record with a damaged line', async () => {
  const folder = await temporaryFolder()
  const store = await openStore(folder)
  for (const id of ['m1', 'm2']) await accept(store, id)
  await store.close()
  await compact(folder, 'snapshot-000002.ndjson')
  const again = await openStore(folder)
  await again.messages.change('a', 'm2', found => ({
    message: { ...messageWith('m2'), ...found, sendAt: 9 },
  }))
  await again.close()
  const snapshot = join(folder, 'snapshot-000002.ndjson')
  const text = await readFile(snapshot, 'utf8')
  const line = text.split('\n').find(each => each.includes('"message","m2"')) ?? ''
  await writeFile(snapshot, text.replace(line, line.replace('hello', 'hallo')))
  const compaction = compact(folder, 'snapshot-000003.ndjson')
  await expect(compaction).rejects.toMatchObject({ code: 'damaged_data' })
})
