import { expect, test } from 'vitest'
import type { Message } from '../../../../../src/domain/message/message.js'
import { accountWith, messageWith, start } from '../../rig.js'
import { openStore } from '../postgres-rig.js'
import { openMigratedDatabase, runSql } from '../test-postgres.js'

const hour = 60 * 60 * 1000

async function openFilled() {
  const url = await openMigratedDatabase()
  const store = await openStore(url)
  await store.accounts.create(accountWith('a'))
  const changes: Partial<Message>[] = [
    { phone: 'a "b"  \\ \u0000 \ud800', delivery: 'pd 1 no "phone":"x"', status: 'S' },
    { delivery: 'dd 1', number: '+4915112345678', source: 'email', status: 'S', phone: 'p' },
    { delivery: 'du 1', number: '+35312345678', status: 'D', createdAt: start + 20 * hour },
    { delivery: '-e 1', number: '71', createdAt: start + hour },
    { text: '"phone":"none","source":"x"' },
    {},
  ]
  for (const [n, fields] of changes.entries()) {
    const message = messageWith(`m${n}`, fields)
    await store.messages.change('a', message.id, () => ({ message }))
  }
  return { url, store }
}

test('groups without messages are deleted', async () => {
  const { url, store } = await openFilled()
  await store.messages.change('a', 'm1', () => ({ message: null }))
  const count = 'select count(*) filter (where count = 0) as empty from message_group_count'
  expect(await runSql(url, count)).toEqual([{ empty: '2' }])
  await store.statistics.deleteBefore(start)
  expect(await runSql(url, count)).toEqual([{ empty: '0' }])
})
