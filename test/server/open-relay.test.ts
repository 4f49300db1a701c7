import { EventEmitter, once } from 'node:events'
import { readdir, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createRelay, type Relay } from '../../src/server/open-relay.js'
import { openLowdbStore } from '../../src/server/store/lowdb/lowdb-store.js'
import type { MessageStore } from '../../src/server/store/message-store.js'
import type { Store } from '../../src/server/store/store.js'
import { type Caller, callerFor, request } from '../conformance/calls.js'
import { newDirectory, openRelay } from './admin/rig.js'

const draft = { destination: '+12025550143', message: 'hello' }

/** A running relay with an account. */
async function run(settings: object = {}, overrides: object = {}) {
  const dataDir = await newDirectory()
  const relay = await openRelay(dataDir, overrides, settings)
  await relay.start()
  const account = await relay.administration.createAccount({ email: 'ann@example.com' })
  const log = async (on: Relay, key: string) => await callerFor(on.url, account.secret_key, key)
  const api = await log(relay, account.api_key)
  const phone = await log(relay, account.app_key)
  return { dataDir, relay, account, api, phone, log }
}

/** A running relay where a NEXT is waiting. */
async function runWaiting() {
  const looked = new EventEmitter()
  const openStore = async (directory: string): Promise<Store> => {
    const store = await openLowdbStore(directory)
    const claim: MessageStore['claim'] = async (...given) => {
      const message = await store.messages.claim(...given)
      setImmediate(() => looked.emit('claim'))
      return message
    }
    const messages = new Proxy(store.messages, {
      get: (all, name) => (name === 'claim' ? claim : Reflect.get(all, name).bind(all)),
    })
    return { ...store, messages }
  }
  const running = await run({}, { openStore })
  const claimed = once(looked, 'claim')
  const reply = running.phone.next({ headers: { prefer: 'wait=25' } })
  await claimed
  return { ...running, reply }
}

describe('starting', () => {
  test('serves where it says, on a free port', async () => {
    const { relay } = await run()
    expect(relay.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect((await request(`${relay.url}/nowhere`, 'GET')).status).toBe(404)
  })

  test('twice, one after the other or at once, is the same as once', async () => {
    const relay = await openRelay(await newDirectory())
    await Promise.all([relay.start(), relay.start()])
    const { url } = relay
    await relay.start()
    expect(relay.url).toBe(url)
    expect((await request(`${url}/nowhere`, 'GET')).status).toBe(404)
  })

  test('after a stop is refused', async () => {
    const relay = await openRelay(await newDirectory())
    await relay.start()
    await relay.stop()
    await expect(relay.start()).rejects.toMatchObject({ code: 'unavailable' })
    await expect(request(relay.url, 'GET')).rejects.toThrow()
  })

  test('on a taken port is an error with a hint; it works when the port is free', async () => {
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

  test('on a taken port and then stopping lets go of the directory', async () => {
    const { relay: other } = await run()
    const dataDir = await newDirectory()
    const relay = await openRelay(dataDir, {}, { port: Number(new URL(other.url).port) })
    await expect(relay.start()).rejects.toMatchObject({ code: 'configuration' })
    await relay.stop()
    await (await openRelay(dataDir)).start()
  })
})

describe('the data directory', () => {
  test('is made when it is not there, for nobody else to read', async () => {
    const dataDir = join(await newDirectory(), 'a', 'b')
    await openRelay(dataDir)
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
  })

  test('is held by one relay: a second one is told so, and the first goes on', async () => {
    const { dataDir, api } = await run()
    await expect(createRelay({ dataDir, port: 0 })).rejects.toMatchObject({
      code: 'directory_in_use',
      message: expect.stringContaining(dataDir),
      hint: expect.stringContaining('another directory'),
    })
    expect((await api.get('/user')).status).toBe(200)
  })

  test('is let go of when its store cannot be opened', async () => {
    const dataDir = await newDirectory()
    const openStore = () => Promise.reject(new Error('broken'))
    await expect(createRelay({ dataDir }, { openStore })).rejects.toThrow('broken')
    expect((await readdir(dataDir)).filter(name => name.startsWith('lock'))).toEqual([])
    await openRelay(dataDir)
  })

  test('is not touched by settings that are refused', async () => {
    const dataDir = join(await newDirectory(), 'none')
    await expect(createRelay({ dataDir, port: -1 })).rejects.toMatchObject({ code: 'usage' })
    await expect(stat(dataDir)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

describe('stopping', () => {
  test('without a start, and twice, lets go of the directory', async () => {
    const dataDir = await newDirectory()
    const relay = await openRelay(dataDir)
    await Promise.all([relay.stop(), relay.stop()])
    await relay.stop()
    await openRelay(dataDir)
  })

  test('while it starts waits for the start and then ends', async () => {
    const dataDir = await newDirectory()
    const relay = await openRelay(dataDir)
    const started = relay.start()
    await relay.stop()
    await started
    await expect(request(relay.url, 'GET')).rejects.toThrow()
    await openRelay(dataDir)
  })

  test('while NEXT waits answers it, and ends long before the wait would', async () => {
    const { relay, reply } = await runWaiting()
    const before = performance.now()
    const stopped = relay.stop()
    expect(await reply).toMatchObject({ status: 404, body: { error: 'not_a_message' } })
    await stopped
    expect(performance.now() - before).toBeLessThan(2000)
  })

  test('under load loses nothing that was answered', async () => {
    const { dataDir, relay, account, api, log } = await run()
    const answered: string[] = []
    const client = async (): Promise<void> => {
      for (;;) {
        const reply = await api.post('/message', { message: draft }).catch(() => undefined)
        if (reply?.status !== 200) return
        answered.push(reply.body.message.id)
        if (answered.length === 50) stopped = relay.stop()
      }
    }
    let stopped: Promise<void> | undefined
    await Promise.all(Array.from({ length: 8 }, client))
    await stopped
    const again = await openRelay(dataDir)
    await again.start()
    const reader = await log(again, account.api_key)
    const kept = await Promise.all(answered.map(id => reader.get(`/message/${id}`)))
    expect(kept.filter(reply => reply.status !== 200)).toEqual([])
    expect(answered.length).toBeGreaterThanOrEqual(50)
  })
})

describe('a restart', () => {
  test('replays the reply to an idempotency key byte for byte, though the message was sent', async () => {
    const baseUrl = 'https://sms.example.com'
    const { dataDir, relay, account, api, phone, log } = await run({ baseUrl })
    const create = async (caller: Caller, message: object = draft) =>
      await caller.call('POST', '/message', {
        headers: { 'idempotency-key': 'k', 'content-type': 'application/json' },
        body: JSON.stringify({ message }),
      })
    const first = await create(api)
    expect(first.text).toContain(`${baseUrl}/api/1/message/${first.body.message.id}`)
    await api.patch(`/message/${first.body.message.id}`, { message: { message: 'edited' } })
    expect((await create(api)).text).toBe(first.text)
    await phone.next()
    await phone.put(`/message/${first.body.message.id}/success`, { parts: 1 })
    await relay.stop()
    const again = await openRelay(dataDir, {}, { baseUrl })
    await again.start()
    const later = await log(again, account.api_key)
    expect((await create(later)).text).toBe(first.text)
    const other = await create(later, { ...draft, message: 'other' })
    expect(other).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  })

  test('leaves tokens valid, and a deleted account deleted', async () => {
    const { dataDir, relay, api } = await run()
    await relay.administration.createAccount({ email: 'bob@example.com' })
    await relay.administration.deleteAccount('bob@example.com')
    await relay.stop()
    const again = await openRelay(dataDir)
    await again.start()
    const headers = { authorization: `Bearer ${api.token}` }
    expect((await request(`${again.url}/api/1/user`, 'GET', { headers })).status).toBe(200)
    expect(await again.administration.listAccounts()).toMatchObject([{ email: 'ann@example.com' }])
  })
})

test('deleting an account ends its tokens, and the NEXT that waits', async () => {
  const { relay, api, reply } = await runWaiting()
  await relay.administration.deleteAccount('ann@example.com')
  expect(await reply).toMatchObject({ status: 404 })
  expect((await api.get('/user')).body.error).toBe('invalid_token')
})

test.each([true, false])(
  'with sandbox %s a test number is sent without a phone: %s',
  async sandbox => {
    const { api } = await run({ sandbox })
    const made = await api.post('/message', { message: { ...draft, destination: '+12025551212' } })
    const status = async () =>
      (await api.get(`/message/${made.body.message.id}`)).body.message.status
    if (sandbox) await vi.waitFor(async () => expect(await status()).toBe('S'))
    else expect(await status()).toBe('N')
  },
)

test('leases that ended are looked through each second', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: Date.UTC(2030, 0, 1) })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const { relay, api, phone } = await run({ lease: 60 })
  await relay.administration.changeAccount('ann@example.com', { mode: 'at-most-once' })
  const made = await api.post('/message', { message: draft })
  await phone.next()
  const path = `/message/${made.body.message.id}`
  await vi.advanceTimersByTimeAsync(59_999)
  expect((await api.get(path)).body.message.status).toBe('N')
  await vi.advanceTimersByTimeAsync(1001)
  expect((await api.get(path)).body.message.status).toBe('L')
})

test('a phone is known after a restart as it was at the stop', async () => {
  const { dataDir, relay, account, phone, api, log } = await run()
  await phone.next({ headers: { 'x-phone-name': 'desk', 'x-phone-driver': 'modem' } })
  const known = (await api.get('/phone')).text
  expect(known).toContain('"desk"')
  await relay.stop()
  const again = await openRelay(dataDir)
  await again.start()
  const reader = await log(again, account.api_key)
  expect((await reader.get('/phone')).text).toBe(known)
})

test('a relay that is told nothing else keeps passwords at the full cost', async () => {
  const dataDir = await newDirectory()
  let store: Store | undefined
  const openStore = async (directory: string): Promise<Store> => {
    store = await openLowdbStore(directory)
    return store
  }
  const { administration, stop } = await createRelay({ dataDir, port: 0 }, { openStore })
  onTestFinished(stop)
  const kept = async () => (await store?.accounts.findByEmail('ann@example.com'))?.passwordHash
  await administration.createAccount({ email: 'ann@example.com' })
  expect(await kept()).toMatch(/^scrypt\$32768\$8\$1\$/)
  await administration.setPassword('ann@example.com', 'correct horse')
  expect(await kept()).toMatch(/^scrypt\$32768\$8\$1\$/)
})

test('phones are written each minute, and counts are let go of each hour', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: Date.UTC(2030, 0, 1) })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const { phones, swept, openStore } = spies()
  const { phone } = await run({}, { openStore })
  await phone.next({ headers: { 'x-phone-name': 'desk' } })
  expect(swept).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(59_999)
  expect(phones).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(phones).toEqual([expect.stringMatching(/ desk$/)])
  await vi.advanceTimersByTimeAsync(59 * 60_000)
  expect(phones).toHaveLength(1)
  expect(swept).toHaveLength(2)
})

/** A store that notes which phones are written and when counts are let go of. */
function spies() {
  const phones: string[] = []
  const swept: number[] = []
  const openStore = async (directory: string): Promise<Store> => {
    const store = await openLowdbStore(directory)
    const change: typeof store.phones.change = async (id, decide) => {
      phones.push(id)
      return await store.phones.change(id, decide)
    }
    const forget = async (before: number): Promise<void> => {
      swept.push(before)
      await store.statistics.deleteBefore(before)
    }
    return {
      ...store,
      phones: {
        change,
        get: async id => await store.phones.get(id),
        list: async account => await store.phones.list(account),
      },
      statistics: {
        deleteBefore: forget,
        getCounts: async (account, spans) => await store.statistics.getCounts(account, spans),
      },
    }
  }
  return { phones, swept, openStore }
}
