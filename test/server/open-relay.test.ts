import { once } from 'node:events'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createRelay } from '../../src/server/open-relay.js'
import { openLowdbStore } from '../../src/server/store/lowdb/lowdb-store.js'
import type { Store } from '../../src/server/store/store.js'
import { request } from '../conformance/calls.js'
import { newDirectory, openRelay } from './admin/rig.js'
import { runRelay } from './running-relay.js'

describe('a start', () => {
  test('serves at its URL, on a free port', async () => {
    const { relay } = await runRelay()
    expect(relay.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect((await request(`${relay.url}/nowhere`, 'GET')).status).toBe(404)
  })

  test('a second time has no effect', async () => {
    const relay = await openRelay(await newDirectory())
    await Promise.all([relay.start(), relay.start()])
    const { url } = relay
    await relay.start()
    expect(relay.url).toBe(url)
    expect((await request(`${url}/nowhere`, 'GET')).status).toBe(404)
  })

  test('after a stop is an error', async () => {
    const relay = await openRelay(await newDirectory())
    await relay.start()
    await relay.stop()
    await expect(relay.start()).rejects.toMatchObject({ code: 'unavailable' })
    await expect(request(relay.url, 'GET')).rejects.toThrow()
  })

  test('on a used port is an error with a hint, and works when the port is free', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const dataDir = await newDirectory()
    const relay = await openRelay(dataDir, {}, { port })
    const error = { code: 'configuration', hint: expect.stringContaining('--port') }
    await expect(relay.start()).rejects.toMatchObject(error)
    taken.close()
    await once(taken, 'close')
    await relay.start()
    expect(relay.url).toBe(`http://127.0.0.1:${port}`)
  })

  test('on a used port and a stop release the directory', async () => {
    const { relay: other } = await runRelay()
    const dataDir = await newDirectory()
    const relay = await openRelay(dataDir, {}, { port: Number(new URL(other.url).port) })
    await expect(relay.start()).rejects.toMatchObject({ code: 'configuration' })
    await relay.stop()
    await (await openRelay(dataDir)).start()
  })
})

describe('the data directory', () => {
  test('is created with mode 0700', async () => {
    const dataDir = join(await newDirectory(), 'a', 'b')
    await openRelay(dataDir)
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
  })

  test('is held by one relay; a second one gets an error', async () => {
    const { dataDir, api } = await runRelay()
    await expect(createRelay({ dataDir, port: 0 })).rejects.toMatchObject({
      code: 'directory_in_use',
      message: expect.stringContaining(dataDir),
      hint: expect.stringContaining('another directory'),
    })
    expect((await api.get('/user')).status).toBe(200)
  })

  test('is held without its socket; a second relay changes nothing', async () => {
    const { dataDir } = await runRelay()
    for (const name of await readdir(dataDir)) {
      if (name.startsWith('lock')) await rm(join(dataDir, name))
    }
    const journal = await readFile(join(dataDir, 'journal-000001.ndjson'))
    await expect(createRelay({ dataDir, port: 0 })).rejects.toMatchObject({
      code: 'directory_in_use',
    })
    expect(await readFile(join(dataDir, 'journal-000001.ndjson'))).toEqual(journal)
  })

  test('is released if its store cannot be opened', async () => {
    const dataDir = await newDirectory()
    const openStore = () => Promise.reject(new Error('broken'))
    await expect(createRelay({ dataDir }, { openStore })).rejects.toThrow('broken')
    expect((await readdir(dataDir)).filter(name => name.startsWith('lock'))).toEqual([])
    await openRelay(dataDir)
  })

  test('is not created for invalid settings', async () => {
    const dataDir = join(await newDirectory(), 'none')
    await expect(createRelay({ dataDir, port: -1 })).rejects.toMatchObject({ code: 'usage' })
    await expect(stat(dataDir)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

test('passwords have the full cost by default', async () => {
  const dataDir = await newDirectory()
  let store: Store | undefined
  const openStore = async (directory: string): Promise<Store> => {
    store = await openLowdbStore(directory)
    return store
  }
  const { administration, stop } = await createRelay({ dataDir, port: 0 }, { openStore })
  onTestFinished(stop)
  const readHash = async () => (await store?.accounts.findByEmail('ann@example.com'))?.passwordHash
  await administration.createAccount({ email: 'ann@example.com' })
  expect(await readHash()).toMatch(/^scrypt\$32768\$8\$1\$/)
  await administration.setPassword('ann@example.com', 'correct horse')
  expect(await readHash()).toMatch(/^scrypt\$32768\$8\$1\$/)
})
