import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLowdbStore } from '../../../../../src/server/store/lowdb/lowdb-store.js'
import { temporaryFolder } from '../../../../temporary-folder.js'
import {
  auditedChanges,
  auditOf,
  findParts,
  prepareChanges,
} from '../../suite/audit/audited-changes.js'
import { copyFolder, firstJournal, openStore, readFiles } from '../lowdb-rig.js'

test('a crash leaves a change with its audit entry, or neither of them', async () => {
  const folder = await temporaryFolder()
  const store = await openStore(folder)
  await prepareChanges(store)
  const getLength = async () => (await readFiles(folder)).get(firstJournal)?.length ?? 0
  const begin = await getLength()
  for (const { name, run } of auditedChanges) await run(store.withAudit(auditOf(name).audit))
  const copy = await copyFolder(folder)
  const journal = (await readFiles(copy)).get(firstJournal) as Buffer
  const seen = new Set<string>()
  for (const end of listCuts(journal, begin)) {
    const preallocated = Buffer.alloc(journal.length, 10)
    await writeFile(
      join(copy, firstJournal),
      Buffer.concat([journal.subarray(0, end), preallocated]),
    )
    const cut = await openLowdbStore(await copyFolder(copy))
    for (const change of auditedChanges) {
      const [isDone, hasEntry] = await findParts(cut, change)
      expect(isDone, `${change.name} at ${end}`).toBe(hasEntry)
      seen.add(`${change.name} ${isDone}`)
    }
    await cut.close()
  }
  expect(seen.size).toBe(2 * auditedChanges.length)
})

/** Every end of a line from `begin` on, and a place within each line. */
function listCuts(journal: Buffer, begin: number): number[] {
  const cuts = [begin]
  for (let at = begin; ; ) {
    const end = journal.indexOf(10, at) + 1
    if (end === 0) return cuts
    cuts.push((at + end) >> 1, end)
    at = end
  }
}
