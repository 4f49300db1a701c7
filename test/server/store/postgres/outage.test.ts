import { expect, onTestFinished, test } from 'vitest'
import { Database } from '../../../../src/server/store/postgres/connection/database.js'
import { FakeClock } from '../../../util/async/fake-clock.js'
import { runDatabaseProxy } from './database-proxy.js'
import { connectToDatabase, openTestDatabase, runSql } from './test-postgres.js'

const ping = { name: 'ping', text: 'select 1 as one' }
const unavailable = { code: 'unavailable', retryAfter: expect.any(Number) }

/** A database whose time passes only when the test says so. */
function openDatabase(url: string, clock = new FakeClock()) {
  const database = new Database({ connectionString: url }, { clock, random: () => 0.5 })
  onTestFinished(async () => await passUntilSettled(clock, database.close()))
  return { database, clock }
}

/** Lets time pass until a promise has settled. */
async function passUntilSettled(clock: FakeClock, promise: Promise<unknown>): Promise<void> {
  let isSettled = false
  const settle = () => {
    isSettled = true
  }
  promise.then(settle, settle)
  await expect
    .poll(
      () => {
        clock.advance(100)
        return isSettled
      },
      { interval: 5 },
    )
    .toBe(true)
}

test('work fails 10 s after the database is lost, then at once, until it is back', async () => {
  const proxy = await runDatabaseProxy(await openTestDatabase())
  const { database, clock } = openDatabase(proxy.url)
  const connection = database.connect('test')
  const work = () => database.retry(async () => await connection.query(ping))
  expect(await work()).toEqual([{ one: 1 }])

  await proxy.stop()
  const before = clock.monotonic()
  const failed = expect(work()).rejects.toMatchObject(unavailable)
  await passUntilSettled(clock, failed)
  await failed
  expect(clock.monotonic() - before).toBeGreaterThanOrEqual(10_000)
  expect(clock.monotonic() - before).toBeLessThan(11_000)
  // The outage is noticed when the first statement fails, a moment after that began.
  clock.advance(1000)
  await expect(work()).rejects.toMatchObject(unavailable)

  await proxy.start()
  await expect
    .poll(async () => {
      const result = work().catch(() => [])
      await passUntilSettled(clock, result)
      return await result
    })
    .toEqual([{ one: 1 }])
})

test('a statement without a reply loses its connection after 10 s', async () => {
  const proxy = await runDatabaseProxy(await openTestDatabase())
  const { database, clock } = openDatabase(proxy.url)
  const connection = database.connect('test')
  await connection.query(ping)
  proxy.freeze()
  const failed = expect(connection.query(ping)).rejects.toThrow('connection')
  await expect.poll(() => clock.pending).toBe(1)
  clock.advance(9999)
  expect(clock.pending).toBe(1)
  clock.advance(1)
  await failed
  await proxy.stop()
  await proxy.start()
  // The outage ends with the next attempt to connect.
  const isBack = async () => {
    clock.advance(500)
    return await connection.query(ping).catch(() => [])
  }
  await expect.poll(isBack).toEqual([{ one: 1 }])
})

test('a connection to a server that became read-only is replaced', async () => {
  const url = await openTestDatabase()
  const name = new URL(url).pathname.slice(1)
  await runSql(url, 'create table one (id int)')
  const database = connectToDatabase(url)
  const connection = database.connect('test')
  await runSql(url, `alter database ${name} set default_transaction_read_only = on`)
  const insert = { name: 'insert', text: 'insert into one values (1)' }
  await expect(connection.query(insert)).rejects.toThrow('connection')
  const written = database.retry(async () => await connection.query(insert))
  const writable = `${url}?options=-cdefault_transaction_read_only%3Doff`
  await runSql(writable, `alter database ${name} set default_transaction_read_only = off`)
  await written
  expect(await runSql(url, 'select * from one')).toHaveLength(1)
})

test.each([
  ['without disk space', '53100'],
  ['without memory', '53200'],
])('a server %s is unavailable at once', async (_, code) => {
  const database = connectToDatabase(await openTestDatabase())
  const connection = database.connect('test')
  const text = `do $$ begin raise exception using errcode = '${code}'; end $$`
  await expect(
    database.retry(async () => await connection.query({ name: 'raise', text })),
  ).rejects.toMatchObject(unavailable)
})

test.each(['40001', '40P01', '57014'])('work that ends with %s is repeated', async code => {
  const database = connectToDatabase(await openTestDatabase())
  const connection = database.connect('test')
  const text = `do $$ begin raise exception using errcode = '${code}'; end $$`
  let runs = 0
  await database.retry(async () => {
    runs += 1
    await connection.query(runs < 3 ? { name: 'raise', text } : ping)
  })
  expect(runs).toBe(3)
})

test('statements whose prepared form is lost are prepared no more', async () => {
  const database = connectToDatabase(await openTestDatabase())
  const connection = database.connect('test')
  await connection.query(ping)
  await connection.query({ name: 'forget', text: 'deallocate all' })
  expect(await Promise.all([connection.query(ping), connection.query(ping)])).toEqual([
    [{ one: 1 }],
    [{ one: 1 }],
  ])
})

test('a table that changes under a prepared statement replaces the connection', async () => {
  const url = await openTestDatabase()
  await runSql(url, 'create table one (id int)')
  const database = connectToDatabase(url)
  const connection = database.connect('test')
  const select = { name: 'select', text: 'select * from one' }
  await connection.query(select)
  await runSql(url, 'alter table one add column more int; insert into one values (1, 2)')
  expect(await database.retry(async () => await connection.query(select))).toEqual([
    { id: 1, more: 2 },
  ])
})

test('a closed database answers nothing, also during an outage', async () => {
  const proxy = await runDatabaseProxy(await openTestDatabase())
  const { database } = openDatabase(proxy.url)
  const connection = database.connect('test')
  await proxy.stop()
  const waiting = connection.query(ping)
  const failed = expect(waiting).rejects.toThrow('connection')
  await database.close()
  await failed.catch(() => {})
  await expect(connection.query(ping)).rejects.toMatchObject({ code: 'unavailable' })
})
