import { expect, onTestFinished, test } from 'vitest'
import {
  prepareSchema,
  schemaVersion,
} from '../../../../src/server/store/postgres/schema/schema.js'
import { openTestDatabase, runSql } from './test-postgres.js'

const prepare = async (url: string, migrate = true) =>
  await prepareSchema({ connectionString: url }, { migrate })

const readTables = async (url: string) =>
  await runSql<{ tablename: string }>(
    url,
    "select tablename from pg_tables where schemaname = 'public' order by 1",
  )

test('an empty database gets all tables, and a second start changes nothing', async () => {
  const url = await openTestDatabase()
  expect(await prepare(url)).toBe(0)
  const tables = await readTables(url)
  expect(tables).toContainEqual({ tablename: 'message' })
  expect(await prepare(url)).toBe(schemaVersion)
  expect(await readTables(url)).toEqual(tables)
})

test('nodes that start together on an empty database create the tables once', async () => {
  const url = await openTestDatabase()
  const befores = await Promise.all(Array.from({ length: 8 }, async () => await prepare(url)))
  expect(befores.toSorted()).toEqual([0, ...Array.from({ length: 7 }, () => schemaVersion)])
})

test('tables that cannot be created leave nothing', async () => {
  const url = await openTestDatabase()
  await runSql(url, 'create type chore as enum ()')
  await expect(prepare(url)).rejects.toMatchObject({ code: '42710' })
  expect(await readTables(url)).toEqual([])
})

test.each([true, false])('a database of another version is refused, migrate: %s', async migrate => {
  const url = await openTestDatabase()
  await prepare(url)
  await runSql(url, 'update schema_version set version = 7')
  await expect(prepare(url, migrate)).rejects.toMatchObject({
    code: 'usage',
    message: `The database has schema version 7; this program needs ${schemaVersion}.`,
    hint: expect.stringContaining('import'),
  })
})

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

test.each([true, false])(
  'a schema without one of its tables is refused, migrate: %s',
  async migrate => {
    const url = await openTestDatabase()
    await prepare(url)
    await runSql(url, 'drop table message_group_count')
    await expect(prepare(url, migrate)).rejects.toMatchObject({
      code: 'usage',
      message: 'The database has no table message_group_count.',
    })
  },
)
