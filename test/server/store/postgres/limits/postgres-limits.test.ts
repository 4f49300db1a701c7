import { describe, expect, test } from 'vitest'
import type { Statement } from '../../../../../src/server/store/postgres/connection/statement.js'
import {
  type Connection,
  LostConnection,
} from '../../../../../src/server/store/postgres/connection/statement.js'
import { PostgresLimits } from '../../../../../src/server/store/postgres/limits/postgres-limits.js'
import { testLimits } from '../../suite/limits-suite.js'
import { createPostgresDatabase, openStore } from '../postgres-rig.js'
import { connectToDatabase, openMigratedDatabase, runSql } from '../test-postgres.js'

const until = 1_800_000_000_000

describe('the limits of the PostgreSQL store', () => {
  testLimits(createPostgresDatabase)
})

/** Limits whose statements pass through `intercept`. */
async function openLimits(
  intercept: (run: () => Promise<unknown[]>, statement: Statement) => Promise<unknown[]>,
  max?: number,
) {
  const url = await openMigratedDatabase()
  await openStore(url)
  const database = connectToDatabase(url)
  const connection = database.connect('test')
  const intercepted: Connection = {
    query: async <Row>(statement: Statement, values?: readonly unknown[]) =>
      (await intercept(async () => await connection.query(statement, values), statement)) as Row[],
    close: async () => await connection.close(),
  }
  return { url, limits: new PostgresLimits(database, intercepted, max) }
}

const addFailure = (state = { failures: 0, last: 0 }) => ({
  failures: state.failures + 1,
  last: 1000,
})

test('a change whose reply is lost counts once', async () => {
  let lost = 0
  const { limits } = await openLimits(async (run, { name }) => {
    const rows = await run()
    if (name !== 'write_limits' || lost++ % 2 === 1) return rows
    throw new LostConnection('The reply is lost.')
  })
  for (let n = 1; n <= 3; n += 1) {
    const { after } = await limits.change('sign-in name', 'key', until, addFailure)
    expect(after?.failures).toBe(n)
  }
  expect((await limits.change('signed in', 'key', until, () => 1)).before).toBeUndefined()
  await limits.change('signed in', 'key', until, () => null)
  expect(await limits.get('signed in', 'key')).toBeUndefined()
})

test('a flood at one limit needs few statements', async () => {
  const statements: string[] = []
  const { limits } = await openLimits(async (run, { name }) => {
    statements.push(name)
    return await run()
  })
  const flood = async () => {
    statements.length = 0
    const changes = Array.from({ length: 300 }, () =>
      limits.change('sign-in address', 'a', until, addFailure),
    )
    await Promise.all([...changes, limits.change('sign-in name', 'b', until, addFailure)])
    return statements
  }
  expect(await flood()).toEqual(['read_limits', 'write_limits'])
  expect(await flood()).toEqual(['write_limits'])
  statements.length = 0
  const reads = Array.from({ length: 300 }, (_, n) => limits.get('sign-in pair', `a ${n % 7}`))
  await Promise.all([...reads, limits.get('sign-in address', 'a')])
  expect(statements).toEqual(['read_limits'])
})

test('a limit with an impossible key fails alone', async () => {
  const { limits } = await openLimits(async run => await run())
  const keys = ['a', 'b\0', 'c']
  const results = await Promise.allSettled(
    keys.map(key => limits.change('signed in', key, until, () => 1)),
  )
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await limits.get('signed in', 'c')).toBe(1)
})

test('the oldest limits of a kind are deleted when it has too many', async () => {
  const { url, limits } = await openLimits(async run => await run(), 3)
  for (let n = 0; n < 5; n += 1) {
    await limits.change('sign-in pair', `pair ${n}`, until + n, addFailure)
  }
  await limits.change('signed in', 'a', until, () => 1)
  await limits.deleteExpired(until - 1)
  const rows = await runSql<{ key: string }>(url, 'select key from limit_state order by key')
  expect(rows.map(({ key }) => key)).toEqual(['a', 'pair 2', 'pair 3', 'pair 4'])
})
