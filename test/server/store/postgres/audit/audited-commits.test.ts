import { expect, onTestFinished, test } from 'vitest'
import { withAudit } from '../../../../../src/server/store/audit-scope.js'
import {
  auditedChanges,
  auditOf,
  findParts,
  prepareChanges,
} from '../../suite/audit/audited-changes.js'
import { openStore } from '../postgres-rig.js'
import { openMigratedDatabase, runSql } from '../test-postgres.js'

const failure = `
  create function fail() returns trigger language plpgsql as
    $$ begin raise exception 'no entry' using errcode = '22000'; end $$;
  create trigger fail before insert on audit_entry for each row execute function fail()`

test('a change whose audit entry cannot be stored is not stored', async () => {
  const url = await openMigratedDatabase()
  const store = await openStore(url)
  await prepareChanges(store)
  await runSql(url, failure)
  onTestFinished(async () => void (await runSql(url, 'drop function fail cascade')))
  for (const change of auditedChanges) {
    const { audit, confirmed } = auditOf(change.name)
    await expect(
      withAudit(audit, async () => await change.run(store)),
      change.name,
    ).rejects.toThrow('no entry')
    expect(await findParts(await openStore(url), change), change.name).toEqual([false, false])
    expect(confirmed).toEqual([])
  }
})
