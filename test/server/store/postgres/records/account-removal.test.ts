import { expect, test } from 'vitest'
import { accountWith } from '../../rig.js'
import { openStore } from '../postgres-rig.js'
import { openMigratedDatabase, runSql } from '../test-postgres.js'
import { openRecords } from './records-rig.js'

const fill = `
  insert into event (account, name, seq, object, at)
    select 'a', 1 + n % 3, n, 'm', 0 from generate_series(1, 2500) n;
  insert into idempotency_key (account, key, digest, until, message, doc)
    select 'a', n, 'd', 0, 'm', '{}' from generate_series(1, 1500) n;
  insert into message_count (account, quarter, name, count)
    select 'a', n, name, 1 from generate_series(1, 700) n, unnest('{created,sent}'::text[]) name;
  insert into message_group_count (account, span, quarter, name, count)
    select 'a', 1, n / 2, n, 1 from generate_series(1, 2500) n`

const countRows = `
  select (select count(*) from event) + (select count(*) from idempotency_key)
    + (select count(*) from message_count) + (select count(*) from account_clock)
    + (select count(*) from message_group_count)
    + (select count(*) from account_removal) as rows`

test('an account with thousands of records is removed in batches', async () => {
  const url = await openMigratedDatabase()
  const { stores } = openRecords(url)
  await stores.accounts.create(accountWith('a'))
  await runSql(url, fill)
  await stores.accounts.remove('a')
  expect(await runSql(url, countRows)).toEqual([{ rows: '0' }])
})

test('a removal that a node did not complete is completed by the next one', async () => {
  const url = await openMigratedDatabase()
  await runSql(url, `${fill}; insert into account_removal (account) values ('a')`)
  await openStore(url)
  await expect.poll(async () => await runSql(url, countRows)).toEqual([{ rows: '0' }])
})
