import { expect, test } from 'vitest'
import { withAudit } from '../../../../../src/server/store/audit-scope.js'
import { temporaryFolder } from '../../../../temporary-folder.js'
import {
  auditedChanges,
  auditOf,
  findParts,
  prepareChanges,
} from '../../suite/audit/audited-changes.js'
import { getJournalLength, openCuts, openStore } from '../lowdb-rig.js'

test('a crash leaves a change with its audit entry, or neither of them', async () => {
  const folder = await temporaryFolder()
  const store = await openStore(folder)
  await prepareChanges(store)
  const begin = await getJournalLength(folder)
  for (const { name, run } of auditedChanges)
    await withAudit(auditOf(name).audit, async () => await run(store))
  const seen = new Set<string>()
  for await (const { end, store: cut } of openCuts(folder, begin)) {
    for (const change of auditedChanges) {
      const [isDone, hasEntry] = await findParts(cut, change)
      expect(isDone, `${change.name} at ${end}`).toBe(hasEntry)
      seen.add(`${change.name} ${isDone}`)
    }
  }
  expect(seen.size).toBe(2 * auditedChanges.length)
})
