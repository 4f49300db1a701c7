import { rm } from 'node:fs/promises'
import { afterEach, describe, expect, test } from 'vitest'
import type { RelayOverrides } from '../../../src/index.js'
import { openLowdbStore } from '../../../src/server/store/lowdb/lowdb-store.js'
import { draft, runRelay } from '../running-relay.js'
import { canLimitFiles, limitFiles } from '../store/lowdb/file-size-limit.js'
import { runDatabaseProxy } from '../store/postgres/database-proxy.js'
import { openTestDatabase, runSql } from '../store/postgres/test-postgres.js'
import { openNode } from '../two-nodes.js'
import { runDamagedRelay } from './store-trouble.js'

const get = async (url: string, path: string) => {
  const reply = await fetch(`${url}${path}`)
  return { status: reply.status, body: await reply.json() }
}

const ready = { status: 200, body: { status: 'ready' } }
const alive = { status: 200, body: { status: 'ok' } }

const unready = (check: string, reason: unknown = expect.any(String)) => ({
  status: 503,
  body: { status: 'not_ready', failed: [{ check, reason }] },
})

test('a relay that serves is alive and ready, without a token', async () => {
  const { relay } = await runRelay()
  expect(await get(relay.url, '/healthz')).toEqual(alive)
  expect(await get(relay.url, '/readyz')).toEqual(ready)
  const head = await fetch(`${relay.url}/readyz`, { method: 'HEAD' })
  expect(head.status).toBe(200)
  expect(head.headers.get('cache-control')).toBe('no-store')
})

describe('with a data directory', () => {
  afterEach(() => {
    if (canLimitFiles) limitFiles('unlimited')
  })

  test.skipIf(!canLimitFiles)('a full disk makes it unready until there is space', async () => {
    const { relay, api } = await runRelay()
    limitFiles(0)
    expect((await api.post('/message', { message: draft })).status).toBe(503)
    const reason = 'The data directory cannot be written (EFBIG).'
    expect(await get(relay.url, '/readyz')).toEqual(unready('store', reason))
    expect(await get(relay.url, '/healthz')).toEqual(alive)
    limitFiles('unlimited')
    await expect.poll(async () => await get(relay.url, '/readyz')).toEqual(ready)
  })

  test('a data directory that is gone makes it unready', async () => {
    const { relay, dataDir } = await runRelay()
    await rm(dataDir, { recursive: true })
    const reason = 'The data directory cannot be written (ENOENT).'
    expect(await get(relay.url, '/readyz')).toEqual(unready('store', reason))
  })

  test('damage that a compaction finds makes it unready', async () => {
    const { relay, beginCompaction } = await runDamagedRelay()
    expect(await get(relay.url, '/readyz')).toEqual(ready)
    await beginCompaction()
    const damaged = unready('data', 'The data on disk is damaged.')
    await expect.poll(async () => await get(relay.url, '/readyz')).toEqual(damaged)
  })

  test('a disk that does not answer makes it unready after two seconds', async () => {
    const openStore: RelayOverrides['openStore'] = async directory => ({
      ...(await openLowdbStore(directory)),
      findFailure: async () => await new Promise<never>(() => {}),
    })
    const { relay } = await runRelay({}, { openStore })
    const reply = unready('store', 'The store does not answer.')
    expect(await get(relay.url, '/readyz')).toEqual(reply)
  })
})

describe('with a database', () => {
  const runNode = async () => {
    const url = await openTestDatabase()
    const proxy = await runDatabaseProxy(url)
    const relay = await openNode(proxy.url)
    await relay.start()
    return { url, proxy, relay }
  }

  test('an outage makes it unready, but not dead', async () => {
    const { relay, proxy } = await runNode()
    expect(await get(relay.url, '/readyz')).toEqual(ready)
    await proxy.stop()
    const readyz = async () => await get(relay.url, '/readyz')
    await expect.poll(readyz).toEqual(unready('store', 'The database cannot be reached.'))
    expect(await get(relay.url, '/healthz')).toEqual(alive)
    await proxy.start()
    await expect.poll(readyz).toEqual(ready)
  })

  test('a database that hangs makes it unready', async () => {
    const { relay, proxy } = await runNode()
    proxy.freeze()
    const reply = await get(relay.url, '/readyz')
    expect(reply).toEqual(unready('store'))
    await proxy.stop()
    await proxy.start()
  })

  test('tables of a later version make it unready', async () => {
    const { relay, url } = await runNode()
    await runSql(url, 'update schema_version set version = 9')
    const reason = 'The database has schema version 9; this program needs 1.'
    await expect
      .poll(async () => await get(relay.url, '/readyz'))
      .toEqual(unready('schema', reason))
  })
})
