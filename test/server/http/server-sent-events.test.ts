import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { RelaySettings } from '../../../src/index.js'
import { sendEvents } from '../../../src/server/http/server-sent-events.js'
import type { RelayOverrides } from '../../../src/server/open-relay.js'
import type { EventBatch } from '../../../src/server/services/webhooks/event-service.js'
import { openLowdbStore } from '../../../src/server/store/lowdb/lowdb-store.js'
import type { Store } from '../../../src/server/store/store.js'
import { createMessage } from '../../conformance/acts.js'
import { signInCaller } from '../../conformance/calls.js'
import { openStream } from '../../conformance/event-reader.js'
import { openConnection } from '../../net/server/client-connection.js'
import { createRelay } from '../../quick-relay.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { serve } from './app-rig.js'

async function start(settings: Partial<RelaySettings> = {}, overrides: RelayOverrides = {}) {
  const dataDir = settings.dataDir ?? (await temporaryFolder())
  let store: Store | undefined
  const openStore = async (directory: string) => {
    store = await openLowdbStore(directory)
    return store
  }
  const defects: unknown[] = []
  const reportDefect = (defect: unknown) => defects.push(defect)
  const relay = await createRelay(
    { port: 0, ...settings, dataDir },
    { openStore, reportDefect, ...overrides },
  )
  onTestFinished(async () => {
    await relay.stop()
    expect(defects).toEqual([])
  })
  await relay.start()
  const email = `${relay.url.split(':').at(-1)}@example.com`
  const account = await relay.administration.createAccount({ email })
  const api = await signInCaller(relay.url, account.secret_key, account.api_key)
  const stream = (query = '', headers = {}) => openStream(relay.url, api.token, query, headers)
  return { relay, account, api, stream, dataDir, store: store as unknown as Store }
}

function createBatch(bytes: number): EventBatch {
  const message = 'm'.repeat(bytes)
  return { events: [{ seq: 1, account: 'a', event: 'message.create', message, at: 0 }] }
}

/** Sends a stream to a client that reads nothing; counts the requested batches. */
async function sendToIdleReader(bytes: number, writeTimeout: number, stopping: AbortSignal) {
  let requested = 0
  let sent: Promise<void> | undefined
  const batches = async function* () {
    for (;;) {
      requested += 1
      yield createBatch(bytes)
    }
  }
  const begun = new Promise<void>(resolve => {
    serve(async (request, response) => {
      sent = sendEvents(request, response, batches, { writeTimeout, stopping })
      resolve()
      await sent
    }).then(async ({ port }) => {
      const { socket, write } = await openConnection(port)
      socket.pause()
      await write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    })
  })
  await begun
  return { sent: sent as unknown as Promise<void>, getRequested: () => requested }
}

describe('an event stream', () => {
  test('sends heartbeats beyond the time limits of other replies', async () => {
    const short = { headTimeout: 900, bodyTimeout: 900, idleTimeout: 50, replyTimeout: 900 }
    const { stream, api } = await start({ limits: { ...short, heartbeat: 40 } })
    const ear = await stream()
    for (let beats = 0; beats < 30; beats += 1) {
      expect(Object.keys((await ear.next()) ?? {})[0]).toBe('')
    }
    await createMessage(api)
    expect(await ear.event()).toMatchObject({ event: 'message.create' })
  })

  test('ends when its token expires and does not extend it', async () => {
    let now = Date.now()
    const { stream, api } = await start(
      { tokenLifetime: 10, limits: { heartbeat: 20 } },
      { now: () => now },
    )
    const ear = await stream()
    await createMessage(api)
    expect(await ear.event()).toBeDefined()
    now += 9_999
    for (let beats = 0; beats < 3; beats += 1) expect(await ear.next()).toBeDefined()
    now += 1
    expect(await ear.rest()).toEqual([])
    expect((await api.get('/event')).status).toBe(401)
  })

  test('continues while other requests extend its token', async () => {
    let now = Date.now()
    const { stream, api } = await start(
      { tokenLifetime: 10, limits: { heartbeat: 20 } },
      { now: () => now },
    )
    const ear = await stream()
    for (let more = 0; more < 3; more += 1) {
      now += 6_000
      await createMessage(api)
      expect(await ear.event()).toBeDefined()
    }
  })

  test('ends at once when its token is revoked', async () => {
    const hour = 3_600_000
    const { stream, relay, api } = await start({ limits: { heartbeat: hour } })
    const ear = await stream()
    await ear.next()
    await fetch(`${relay.url}/oauth/revoke?token=${api.token}`)
    expect(await ear.rest()).toEqual([])
  })

  test('ends when its account is deleted', async () => {
    const { stream, relay, account } = await start()
    const ear = await stream()
    await ear.next()
    await relay.administration.deleteAccount(account.email)
    expect(await ear.rest()).toEqual([])
  })

  test('reports deleted events once', async () => {
    const { stream, api, store } = await start()
    await createMessage(api)
    for await (const _ of store.events.purge(Date.now() + 1000, 1e9)) {
      // Deletes all events.
    }
    const reply = await api.get('/event')
    expect(JSON.parse(reply.text)).toEqual({ events: [], last: 1, missing: true })
    expect(JSON.parse((await api.get('/event?after=1')).text)).toEqual({ events: [], last: 1 })
    const ear = await stream('?after=0')
    expect(await ear.event()).toEqual({ event: 'missing', data: '{"after":0}' })
    await createMessage(api)
    expect(await ear.event()).toMatchObject({ id: '2', event: 'message.create' })
  })

  test('requests no more events after its reader has disconnected', async () => {
    let end: () => void = () => {}
    const ended = new Promise<void>(resolve => {
      end = resolve
    })
    const batches = async function* (signal: AbortSignal) {
      yield createBatch(1)
      await once(signal, 'abort')
      end()
    }
    const stopping = new AbortController().signal
    const { port } = await serve(async (request, response) => {
      await sendEvents(request, response, batches, { writeTimeout: 1000, stopping })
    })
    const { socket, write } = await openConnection(port)
    await write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await once(socket, 'data')
    socket.destroy()
    await ended
  })
})

describe('a reader that does not read', () => {
  test('gets no more than the buffers hold and is disconnected after the timeout', async () => {
    const { sent, getRequested } = await sendToIdleReader(30_000, 300, new AbortController().signal)
    await sent
    // The buffers of two sockets hold some megabytes.
    expect(getRequested()).toBeGreaterThan(1)
    expect(getRequested()).toBeLessThan(1000)
  })

  test('is disconnected at once when the relay stops', async () => {
    const stop = new AbortController()
    const { sent, getRequested } = await sendToIdleReader(64 * 1024 * 1024, 2 ** 30, stop.signal)
    while (getRequested() === 0) await setImmediate()
    await setImmediate()
    stop.abort()
    await sent
    expect(getRequested()).toBe(1)
  })

  test('gets all events in order if it is only slow', async () => {
    const { stream, api } = await start({ limits: { replyTimeout: 2000 } })
    for (let n = 0; n < 120; n += 1) await createMessage(api)
    const ear = await stream()
    for (let n = 1; n <= 120; n += 1) expect((await ear.event())?.id).toBe(String(n))
  })
})

describe('when the relay stops', () => {
  test('streams end at once without an error', async () => {
    const { relay, stream } = await start()
    const ears = [await stream(), await stream('?after=-1')]
    for (const ear of ears) await ear.next()
    const started = performance.now()
    await relay.stop()
    // Connections that do not end by themselves are cut off after 6 s.
    expect(performance.now() - started).toBeLessThan(6000)
    for (const ear of ears) expect(await ear.rest()).toEqual([])
  })

  test('a stream that resumes after a restart misses no event', async () => {
    const first = await start()
    const ear = await first.stream()
    const seen: (string | undefined)[] = []
    for (let n = 0; n < 3; n += 1) await createMessage(first.api)
    seen.push((await ear.event())?.id)
    for (let n = 0; n < 3; n += 1) await createMessage(first.api)
    ear.close()
    await first.relay.stop()
    const again = await start({ dataDir: first.dataDir })
    const { secret_key, api_key } = first.account
    const api = await signInCaller(again.relay.url, secret_key, api_key)
    const more = await openStream(again.relay.url, api.token, '', { 'last-event-id': '1' })
    for (let n = 0; n < 5; n += 1) seen.push((await more.event())?.id)
    await createMessage(api)
    seen.push((await more.event())?.id)
    expect(seen).toEqual(['1', '2', '3', '4', '5', '6', '7'])
  })
})
