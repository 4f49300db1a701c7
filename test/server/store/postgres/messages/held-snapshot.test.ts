import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import type { Message } from '../../../../../src/domain/message/message.js'
import { reportSuccess } from '../../../../../src/domain/message/report.js'
import { accept, next, start } from '../../rig.js'
import { openStore } from '../postgres-rig.js'
import { openTestDatabase, runSql } from '../test-postgres.js'

const count = 150

/** Keeps the database from removing earlier states of rows until the end of the test. */
async function holdSnapshot(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  onTestFinished(async () => await client.end())
  await client.query('begin isolation level repeatable read')
  await client.query('select count(*) from account')
}

test('claims do not pass earlier rows that a long transaction keeps', async () => {
  const url = await openTestDatabase()
  const store = await openStore(url)
  await store.tokens.put({ id: 'p', account: 'a', kind: 'app', expiresAt: start + 1e9 })
  await holdSnapshot(url)
  for (let at = 0; at < count; at += 1) {
    const now = start + at * 100
    const id = `m${String(at).padStart(3, '0')}`
    await accept(store, id, { createdAt: now, sendAt: now, statusAt: now })
    expect(await next(store, 'p', now)).toBe(id)
    const by = { holder: 'p', now }
    await store.messages.change('a', id, found => reportSuccess(found as Message, { parts: 1 }, by))
  }
  // The server counts what a connection has read when it ends.
  await store.close()
  const rows = await runSql<{ name: string; read: string }>(
    url,
    'select indexrelname as name, idx_tup_read as read from pg_stat_user_indexes',
  )
  const read = new Map(rows.map(row => [row.name, Number(row.read)]))
  // Without marks each claim passes the entries of all before it.
  for (const index of ['message_due', 'message_held']) {
    expect(read.get(index)).toBeGreaterThan(0)
    expect(read.get(index)).toBeLessThan((count * count) / 4)
  }
  const tokens = "select n_tup_upd as changes from pg_stat_user_tables where relname = 'token'"
  expect(await runSql(url, tokens)).toEqual([{ changes: '1' }])
})
