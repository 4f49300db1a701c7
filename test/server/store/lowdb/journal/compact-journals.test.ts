import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compactJournals } from '../../../../../src/server/store/lowdb/journal/compact-journals.js'
import { inspectData } from '../../../../../src/server/store/lowdb/journal/inspect-data.js'
import { temporaryFolder } from '../../../../temporary-folder.js'
import { accept, listMessages, messageWith } from '../../rig.js'
import { firstJournal, openStore } from '../lowdb-rig.js'

test('a compaction keeps the order of creation; a message created again is last', async () => {
  const folder = await temporaryFolder()
  const store = await openStore(folder)
  for (const id of ['m1', 'm2', 'm3']) await accept(store, id)
  await store.close()
  const snapshot = join(folder, 'snapshot-000002.ndjson')
  await compactJournals({
    snapshot: undefined,
    journals: [join(folder, firstJournal)],
    target: snapshot,
  })

  const again = await openStore(folder)
  await again.messages.change('m1', () => ({ message: null }))
  await again.messages.change('m2', found => ({
    message: found ? { ...found, text: 'new' } : null,
  }))
  await accept(again, 'm4')
  await accept(again, 'm1')
  await again.close()
  const expected = ['m2', 'm3', 'm4', 'm1']
  const target = join(folder, 'snapshot-000003.ndjson')
  await compactJournals({ snapshot, journals: [join(folder, 'journal-000002.ndjson')], target })
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
  const snapshot = join(folder, 'snapshot-000002.ndjson')
  await compactJournals({
    snapshot: undefined,
    journals: [join(folder, firstJournal)],
    target: snapshot,
  })
  const again = await openStore(folder)
  await again.messages.change('m2', found => ({
    message: { ...messageWith('m2'), ...found, sendAt: 9 },
  }))
  await again.close()
  const text = await readFile(snapshot, 'utf8')
  const line = text.split('\n').find(each => each.includes('"message","m2"')) ?? ''
  await writeFile(snapshot, text.replace(line, line.replace('hello', 'hallo')))
  const target = join(folder, 'snapshot-000003.ndjson')
  const compaction = compactJournals({
    snapshot,
    journals: [join(folder, 'journal-000002.ndjson')],
    target,
  })
  await expect(compaction).rejects.toMatchObject({ code: 'damaged_data' })
})
