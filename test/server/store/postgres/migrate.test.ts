import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import {
  newestVersion,
  prepareSchema,
} from '../../../../src/server/store/postgres/schema/migrate.js'
import type {
  MigrationProgress,
  OnMigrationProgress,
} from '../../../../src/server/store/postgres/schema/migration-progress.js'
import type { MigrationStep } from '../../../../src/server/store/postgres/schema/migration-step.js'
import { step001 } from '../../../../src/server/store/postgres/schema/step-001.js'
import { step002 } from '../../../../src/server/store/postgres/schema/step-002.js'
import { createClock } from '../../../../src/util/async/clock.js'
import { openTestDatabase, runSql } from './test-postgres.js'

const createStep = (version: number, oldestProgram: number, text: string): MigrationStep => ({
  version,
  oldestProgram,
  summary: `Step to version ${version}.`,
  text,
})
const first = createStep(1, 1, 'create table one (id int)')
const second = createStep(2, 1, 'create table two (id int)')
const contract = createStep(3, 2, 'drop table one')

const migrate = async (
  url: string,
  steps?: readonly MigrationStep[],
  onProgress?: OnMigrationProgress,
) => {
  const options = { clock: createClock(), random: Math.random, onProgress }
  const given = steps === undefined ? options : { ...options, steps }
  return await prepareSchema({ connectionString: url }, given)
}

const listTables = async (url: string): Promise<string[]> => {
  const text = `select relname as name from pg_class
    where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace order by 1`
  return (await runSql<{ name: string }>(url, text)).map(({ name }) => name)
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  await client.connect()
  onTestFinished(async () => await client.end())
  return client
}

const readIndexes = async (url: string) =>
  await runSql<{ name: string; valid: boolean }>(
    url,
    `select indexrelid::regclass::text as name, indisvalid as valid from pg_index
    where indrelid = 'message'::regclass order by 1`,
  )

test('an empty database gets all tables, and a second migration changes nothing', async () => {
  const url = await openTestDatabase()
  expect(await migrate(url)).toBe(0)
  const tables = await listTables(url)
  expect(tables).toContain('message')
  expect(await migrate(url)).toBe(newestVersion)
  expect(await listTables(url)).toEqual(tables)
})

test('nodes that start together on an empty database run each step once', async () => {
  const url = await openTestDatabase()
  const befores = await Promise.all(Array.from({ length: 8 }, async () => await migrate(url)))
  expect(befores.filter(version => version === 0)).toHaveLength(1)
  expect(befores.filter(version => version === newestVersion)).toHaveLength(7)
})

test('a node that finds the table type of another node tries again', async () => {
  const url = await openTestDatabase()
  await runSql(url, 'create type schema_version as enum ()')
  const clock = createClock()
  const sleep = async () => void (await runSql(url, 'drop type schema_version'))
  const options = { clock: { ...clock, sleep }, random: Math.random }
  expect(await prepareSchema({ connectionString: url }, options)).toBe(0)
  expect(await listTables(url)).toContain('schema_version')
})

test('nodes that start together with a new version run its steps once', async () => {
  const url = await openTestDatabase()
  await migrate(url, [first])
  const both = Array.from({ length: 6 }, async () => await migrate(url, [first, second]))
  expect((await Promise.all(both)).filter(version => version === 1)).toHaveLength(1)
  expect(await listTables(url)).toEqual(['one', 'schema_version', 'two'])
})

test('a program works with a schema that has more, and not with one that has less', async () => {
  const url = await openTestDatabase()
  await migrate(url, [first, second])
  expect(await migrate(url, [first])).toBe(2)
  await migrate(url, [first, second, contract])
  await expect(migrate(url, [first])).rejects.toMatchObject({
    code: 'usage',
    message: 'The database has schema version 3, which needs a newer version of smsrelay.',
  })
})

test('the newest schema still works with a program of version 2', async () => {
  const url = await openTestDatabase()
  await migrate(url, [step001, step002])
  await migrate(url)
  expect(await migrate(url, [step001, step002])).toBe(newestVersion)
})

test('a failed step leaves nothing', async () => {
  const url = await openTestDatabase()
  const broken = { ...second, text: 'create table two (id int); select 1 / 0' }
  await expect(migrate(url, [first, broken])).rejects.toMatchObject({ code: '22012' })
  expect(await listTables(url)).toEqual([])
})

test('a migration waits for a transaction that has locked a table', async () => {
  const url = await openTestDatabase()
  await migrate(url, [first])
  const other = await connect(url)
  await other.query('begin')
  await other.query('select * from one')
  const add = { ...second, text: 'alter table one add column more int' }
  const migrated = migrate(url, [first, add])
  const waiting = `select from pg_stat_activity
    where application_name = 'smsrelay start' and wait_event_type = 'Lock'`
  await expect.poll(async () => (await runSql(url, waiting)).length).toBeGreaterThan(0)
  await other.query('commit')
  expect(await migrated).toBe(1)
})

const messages = createStep(1, 1, 'create table message (id int); insert into message values (1)')
const index = { name: 'message_id', table: 'message', on: '(id)' }
const indexed = { ...second, indexes: [index] }

test('an index is built while a transaction writes, and lets others write', async () => {
  const url = await openTestDatabase()
  await migrate(url, [messages])
  const other = await connect(url)
  await other.query('begin; insert into message values (2)')
  const migrated = migrate(url, [messages, indexed])
  const waiting = `select from pg_stat_progress_create_index where phase like 'waiting for%'`
  await expect.poll(async () => (await runSql(url, waiting)).length).toBeGreaterThan(0)
  await runSql(url, "set lock_timeout = '1s'; insert into message values (3)")
  await other.query('commit')
  expect(await migrated).toBe(1)
  expect(await listTables(url)).toContain('two')
  expect(await readIndexes(url)).toEqual([{ name: 'message_id', valid: true }])
})

test('what remains of a build that the server ended is removed', async () => {
  const url = await openTestDatabase()
  await migrate(url, [messages])
  await runSql(url, 'create index message_id on message (id)')
  const other = await connect(url)
  await other.query('begin; insert into message values (2)')
  const interrupted = await connect(url)
  await interrupted.query("set lock_timeout = '100ms'")
  const rebuild = interrupted.query('reindex index concurrently message_id')
  await expect(rebuild).rejects.toMatchObject({ code: '55P03' })
  await other.query('commit')
  expect(await readIndexes(url)).toContainEqual({ name: 'message_id_ccnew', valid: false })
  await migrate(url, [messages, indexed])
  expect(await readIndexes(url)).toEqual([{ name: 'message_id', valid: true }])
})

test('nodes that start together build an index once, also one that was interrupted', async () => {
  const url = await openTestDatabase()
  await migrate(url, [messages])
  const other = await connect(url)
  await other.query('begin; insert into message values (2)')
  const interrupted = await connect(url)
  await interrupted.query("set lock_timeout = '100ms'")
  const create = interrupted.query('create index concurrently message_id on message (id)')
  await expect(create).rejects.toMatchObject({ code: '55P03' })
  await other.query('commit')
  expect(await readIndexes(url)).toEqual([{ name: 'message_id', valid: false }])
  const all = Array.from({ length: 4 }, async () => await migrate(url, [messages, indexed]))
  expect((await Promise.all(all)).filter(version => version === 1)).toHaveLength(1)
  expect(await readIndexes(url)).toEqual([{ name: 'message_id', valid: true }])
})

test('the progress names each step, and how much of a table is read for an index', async () => {
  const url = await openTestDatabase()
  const pages = 'create table pages (id int, filler text); alter table pages alter filler'
  const create = `${pages} set storage plain; insert into pages
    select id, repeat('x', 7000) from generate_series(1, 8) id;
    create function wait(int) returns int immutable language plpgsql as
    'begin if $1 = 6 then perform pg_advisory_lock_shared(1); end if; return $1; end'`
  await migrate(url, [{ ...first, text: create }])
  const other = await connect(url)
  await other.query('select pg_advisory_lock(1)')
  const seen: MigrationProgress[] = []
  const index = { ...second, text: 'create index slow on pages (wait(id))' }
  const phase = { table: 'pages', phase: 'read', finished: 5 * 8192, total: 8 * 8192 }
  await migrate(url, [{ ...first, text: create }, index], progress => {
    seen.push(progress)
    const isWaiting = progress.index?.finished === phase.finished
    if (isWaiting) void other.query('select pg_advisory_unlock_all()')
  })
  const step = { version: 2, summary: 'Step to version 2.' }
  expect(seen[0]).toEqual(step)
  expect(seen).toContainEqual({ ...step, index: phase })
})
