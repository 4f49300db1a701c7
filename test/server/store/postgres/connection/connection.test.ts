import { connect, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { LostConnection } from '../../../../../src/server/store/postgres/connection/statement.js'
import { runDatabaseProxy } from '../database-proxy.js'
import { connectToDatabase, openMigratedDatabase, runSql } from '../test-postgres.js'

const add = { name: 'add', text: 'select $1::int + $2::int as sum' }
const backend = { name: 'backend', text: 'select pg_backend_pid() as pid' }
const sleep = { name: 'sleep', text: 'select pg_sleep($1)' }

test('a statement returns its rows, and int8 is a number', async () => {
  const connection = connectToDatabase(await openMigratedDatabase()).connect('test')
  const text = `select 1700000000000::int8 as at, '{"a":"\\u0000"}'::json as doc, null as nothing`
  expect(await connection.query({ name: 'types', text })).toEqual([
    { at: 1_700_000_000_000, doc: { a: '\0' }, nothing: null },
  ])
})

test('plans use indexes, also those made while tables are empty', async () => {
  const connection = connectToDatabase(await openMigratedDatabase()).connect('test')
  const text = `select current_setting('enable_seqscan') as value`
  expect(await connection.query({ name: 'setting', text })).toEqual([{ value: 'off' }])
})

test('statements share a connection and fail one by one', async () => {
  const connection = connectToDatabase(await openMigratedDatabase()).connect('test')
  const results = await Promise.allSettled([
    connection.query(add, [1, 2]),
    connection.query({ name: 'divide', text: 'select 1 / $1::int' }, [0]),
    connection.query(add, [2, 'x']),
    connection.query(add, [3, 4]),
  ])
  expect(results).toMatchObject([
    { status: 'fulfilled', value: [{ sum: 3 }] },
    { status: 'rejected', reason: { code: '22012' } },
    { status: 'rejected', reason: { code: '22P02' } },
    { status: 'fulfilled', value: [{ sum: 7 }] },
  ])
})

test('a terminated connection rejects its statement and opens again with the next', async () => {
  const url = await openMigratedDatabase()
  let lost = 0
  const connection = connectToDatabase(url).connect('test', { onLost: () => (lost += 1) })
  const [{ pid } = { pid: 0 }] = await connection.query<{ pid: number }>(backend)
  const waiting = connection.query(sleep, [60])
  const rejected = expect(waiting).rejects.toThrow(LostConnection)
  await terminateWhenActive(url, pid)
  await rejected
  expect(lost).toBe(1)
  const [{ pid: next } = { pid: 0 }] = await connection.query<{ pid: number }>(backend)
  expect(next).not.toBe(pid)
})

test('work is repeated after a lost connection', async () => {
  const url = await openMigratedDatabase()
  const database = connectToDatabase(url)
  const connection = database.connect('test')
  const pids: number[] = []
  await database.retry(async () => {
    const [{ pid } = { pid: 0 }] = await connection.query<{ pid: number }>(backend)
    pids.push(pid)
    if (pids.length > 1) return
    await Promise.all([connection.query(sleep, [60]), terminateWhenActive(url, pid)])
  })
  expect(new Set(pids).size).toBe(2)
})

test('an error of the work is not repeated', async () => {
  const database = connectToDatabase(await openMigratedDatabase())
  const connection = database.connect('test')
  let runs = 0
  const work = async () => {
    runs += 1
    return await connection.query({ name: 'missing', text: 'select * from missing' })
  }
  await expect(database.retry(work)).rejects.toMatchObject({ code: '42P01' })
  expect(runs).toBe(1)
})

test('a statement waits for a database that cannot be reached yet', async () => {
  const proxy = await runDatabaseProxy(await openMigratedDatabase())
  const database = connectToDatabase(proxy.url)
  const connection = database.connect('test')
  await connection.query(add, [1, 1])
  await proxy.stop()
  const waiting = database.retry(async () => await connection.query(add, [1, 2]))
  // The second connection notices the outage.
  await expect(database.connect('test').query(add, [1, 2])).rejects.toThrow(LostConnection)
  await proxy.start()
  expect(await waiting).toEqual([{ sum: 3 }])
})

test('a server that ends the connection as it opens is asked again', async () => {
  const url = new URL(await openMigratedDatabase())
  const target = { host: url.hostname, port: Number(url.port) }
  let connections = 0
  const proxy = createServer(socket => {
    connections += 1
    if (connections === 1) {
      socket.once('data', () => socket.write(createEndingStart()))
      return
    }
    const server = connect(target)
    for (const each of [socket, server]) each.on('error', () => {})
    socket.pipe(server).pipe(socket)
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void proxy.close())
  const { port } = proxy.address() as { port: number }
  url.port = `${port}`
  const database = connectToDatabase(url.href)
  const connection = database.connect('test')
  expect(await database.retry(async () => await connection.query(add, [1, 2]))).toEqual([
    { sum: 3 },
  ])
})

/** A complete start of a connection, and the error of a server that stops, in one packet. */
function createEndingStart(): Buffer {
  const toMessage = (type: string, content: string): Buffer => {
    const length = Buffer.alloc(4)
    length.writeInt32BE(content.length + 4)
    return Buffer.concat([Buffer.from(type), length, Buffer.from(content, 'latin1')])
  }
  return Buffer.concat([
    toMessage('R', '\0\0\0\0'),
    toMessage('Z', 'I'),
    toMessage('E', 'SFATAL\0C57P01\0Mterminating\0\0'),
  ])
}

/** Terminates a backend as soon as its statement runs. */
async function terminateWhenActive(url: string, pid: number): Promise<void> {
  const text = `select pg_terminate_backend(pid) from pg_stat_activity
    where pid = ${pid} and query like '%pg_sleep%' and state = 'active'`
  await expect.poll(async () => (await runSql(url, text)).length).toBe(1)
}
