import { expect, onTestFinished, test } from 'vitest'
import {
  newestVersion,
  prepareSchema,
} from '../../../../src/server/store/postgres/schema/migrate.js'
import { createClock } from '../../../../src/util/async/clock.js'
import { openTestDatabase, runSql } from './test-postgres.js'

async function prepare(url: string, migrate = true): Promise<number> {
  const options = { clock: createClock(), random: Math.random, migrate }
  return await prepareSchema({ connectionString: url }, options)
}

const readTables = async (url: string) =>
  await runSql(url, "select tablename from pg_tables where schemaname = 'public' order by 1")

test.each([
  ['a table', 'create table orders (id int)'],
  ['its own schema_version', 'create table schema_version (version int)'],
])('a schema of another program, with %s, is refused and not changed', async (_, text) => {
  const url = await openTestDatabase()
  await runSql(url, text)
  const before = await readTables(url)
  await expect(prepare(url)).rejects.toMatchObject({
    code: 'usage',
    message: 'The schema "public" has tables of another program.',
  })
  expect(await readTables(url)).toEqual(before)
})

test('a role that may not create tables is refused', async () => {
  const owner = await openTestDatabase()
  const url = new URL(owner)
  url.username = `reader_${url.pathname.slice(6, 20)}`
  url.password = 'secret'
  await runSql(owner, `create role ${url.username} login password 'secret'`)
  onTestFinished(async () => void (await runSql(owner, `drop role ${url.username}`)))
  // Before PostgreSQL 15 every role may create tables in this schema.
  await runSql(owner, 'revoke create on schema public from public')
  await expect(prepare(url.href)).rejects.toMatchObject({
    code: 'usage',
    message: 'The role may not create tables in the database.',
  })
})

test('a server that does not store UTF-8 is refused', async () => {
  const url = new URL(await openTestDatabase())
  const name = `latin_${url.pathname.slice(6, 20)}`
  await runSql(url.href, `create database ${name} encoding 'LATIN1' template template0`)
  onTestFinished(async () => void (await runSql(url.href, `drop database ${name} with (force)`)))
  const latin = new URL(`/${name}`, url).href
  await expect(prepare(latin)).rejects.toMatchObject({
    code: 'usage',
    message: 'The database has the encoding LATIN1, not UTF8.',
  })
})

test.each([
  [newestVersion - 1, true],
  [newestVersion, true],
  [newestVersion, false],
])('version %i without one of its tables is refused, migrate: %s', async (version, migrate) => {
  const url = await openTestDatabase()
  await prepare(url)
  await runSql(
    url,
    `drop table message_group_count; update schema_version set version = ${version}`,
  )
  await expect(prepare(url, migrate)).rejects.toMatchObject({
    code: 'usage',
    message: `The database has schema version ${version}, but no table message_group_count.`,
  })
  expect(await runSql(url, 'select version from schema_version')).toEqual([{ version }])
})
