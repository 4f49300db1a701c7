import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ProblemList } from '../../../../../src/domain/account/problem-list.js'
import { manifestName } from '../../../../../src/server/store/lowdb/files/manifest.js'
import { compactJournals } from '../../../../../src/server/store/lowdb/journal/compact-journals.js'
import { checkData } from '../../../../../src/server/store/lowdb/journal/data-tools.js'
import { Metrics } from '../../../../../src/util/collections/metrics.js'
import { temporaryFolder } from '../../../../temporary-folder.js'
import { accept, fill, listMessages } from '../../rig.js'
import { openStore, withoutPreallocation } from '../lowdb-rig.js'

const snapshot = 'snapshot-000002.ndjson'
const secondJournal = 'journal-000002.ndjson'

describe.each([
  ['snapshot', snapshot],
  ['journal', secondJournal],
])('damage of the %s that a compaction finds', (_, damaged) => {
  /** A store whose next change begins a compaction of files that were damaged meanwhile. */
  async function openDamaged() {
    const folder = await temporaryFolder()
    const first = await openStore(folder)
    await fill(first)
    await first.close()
    await (await openStore(folder, { compactAbove: 0 })).close()
    const observers = { metrics: new Metrics(), problems: new ProblemList() }
    const warnings: string[] = []
    let compactions = 0
    const store = await openStore(folder, {
      ...observers,
      warn: sentence => warnings.push(sentence),
      compactAbove: 5000,
      runCompaction: async job => {
        compactions += 1
        return await compactJournals(job)
      },
    })
    await accept(store, 'm8')
    expect(observers.metrics.values()).toMatchObject({ store_damaged: 0 })
    const bytes = await readFile(join(folder, damaged))
    const at = bytes.indexOf('hello, w')
    bytes[at === -1 ? bytes.indexOf('"a"') + 1 : at] = 0x5a
    await writeFile(join(folder, damaged), bytes)
    await accept(store, 'm9', { text: 'x'.repeat(6000) })
    await expect.poll(() => compactions).toBe(1)
    await expect.poll(() => warnings).toHaveLength(1)
    return { ...observers, folder, store, warnings, bytes, getCompactions: () => compactions }
  }

  test('is reported where an operator looks, and no file is removed', async () => {
    const { folder, metrics, problems, warnings, bytes, store } = await openDamaged()
    expect(warnings).toEqual([expect.stringContaining(damaged)])
    expect(metrics.values()).toMatchObject({ store_damaged: 1 })
    const message = expect.stringContaining(join(folder, damaged))
    expect(problems.list('a')).toMatchObject([{ code: 'store_damaged', message }])
    expect((await readdir(folder)).sort()).toEqual([
      secondJournal,
      'journal-000003.ndjson',
      manifestName,
      snapshot,
    ])
    const before = withoutPreallocation(bytes)
    const kept = await readFile(join(folder, damaged))
    expect(kept.subarray(0, before.length).equals(before)).toBe(true)
    await store.close()
    const { damages } = await checkData(folder)
    expect(damages).toMatchObject([{ file: damaged, kind: 'damaged' }])
  })

  test('stops further compactions; the store goes on with the records in memory', async () => {
    const { folder, store, getCompactions, warnings } = await openDamaged()
    for (const id of ['n1', 'n2', 'n3']) await accept(store, id, { text: 'y'.repeat(6000) })
    expect((await listMessages(store)).map(each => each.id).slice(-5)).toEqual([
      ...['m8', 'm9', 'n1', 'n2', 'n3'],
    ])
    expect(getCompactions()).toBe(1)
    expect(warnings).toHaveLength(1)
    const journal = await readFile(join(folder, 'journal-000003.ndjson'), 'utf8')
    expect(journal).toContain('"n3"')
  })
})
