// Requests to a node while its database is away or takes no changes: each is answered in time.
import { expect, onTestFinished, test } from 'vitest'
import { json, request, signInCaller } from '../conformance/calls.js'
import { createRelay } from '../quick-relay.js'
import { FakeClock } from '../util/async/fake-clock.js'
import { runDatabaseProxy } from './store/postgres/database-proxy.js'
import { openMigratedDatabase, runSql } from './store/postgres/test-postgres.js'

const draft = { destination: '+12025550143', message: 'hello' }

async function start() {
  const direct = await openMigratedDatabase()
  const proxy = await runDatabaseProxy(direct)
  const clock = new FakeClock()
  const database = { url: proxy.url }
  const relay = await createRelay({ database, port: 0 }, { clock, now: clock.now })
  /** Lets time pass until all have an answer; resolves to the seconds that passed. */
  const passUntil = async (answers: Promise<unknown>): Promise<number> => {
    const from = clock.monotonic()
    let isOver = false
    const settle = () => {
      isOver = true
    }
    answers.then(settle, settle)
    const pass = () => {
      if (!isOver) clock.advance(20)
      return isOver
    }
    await expect.poll(pass, { interval: 5, timeout: 20_000 }).toBe(true)
    return (clock.monotonic() - from) / 1000
  }
  onTestFinished(async () => void (await passUntil(relay.stop())))
  await relay.start()
  const account = await relay.administration.createAccount({ email: 'ann@example.com' })
  const api = await signInCaller(relay.url, account.secret_key, account.api_key)
  const phone = await signInCaller(relay.url, account.secret_key, account.app_key)
  const create = async () => await api.call('POST', '/message', json({ message: draft }))
  const { id } = (await create()).body.message
  await phone.next()
  return { direct, proxy, relay, account, api, phone, create, id, passUntil }
}

type Started = Awaited<ReturnType<typeof start>>

const readOnly = (value: 'on' | 'off', { direct }: Pick<Started, 'direct'>) => {
  const name = new URL(direct).pathname.slice(1)
  const change = `alter database ${name} set default_transaction_read_only = ${value}`
  return runSql(`${direct}?options=-cdefault_transaction_read_only%3Doff`, change)
}

const failures: Record<string, (started: Started) => Promise<unknown>> = {
  'is read-only': async started => {
    onTestFinished(async () => void (await readOnly('off', started)))
    await readOnly('on', started)
    await started.proxy.stop()
    await started.proxy.start()
  },
  'does not answer': async ({ proxy }) => proxy.freeze(),
  'is away': async ({ proxy }) => await proxy.stop(),
}

test.each(Object.entries(failures))(
  'while the database %s, requests get 503 within 12 seconds, then at once',
  async (_, fail) => {
    const started = await start()
    const { relay, account, api, phone, create, id, passUntil } = started
    await fail(started)
    const login = btoa(`${account.secret_key}:${account.api_key}`)
    const sendAll = () =>
      Promise.all([
        // Reports on one message are stored one after the other.
        ...[1, 2, 3].map(parts => phone.call('PUT', `/message/${id}/success`, json({ parts }))),
        ...[create(), create(), phone.next(), phone.next()],
        api.call('POST', '/message/batch', json([draft])),
        api.call('POST', '/contact', json({ number: draft.destination })),
        request(`${relay.url}/oauth`, 'GET', { headers: { authorization: `Basic ${login}` } }),
      ])
    for (const limit of [12, 2]) {
      const replies = sendAll()
      expect(await passUntil(replies)).toBeLessThan(limit)
      const found = (await replies).map(({ status, headers }) => [
        status,
        headers.has('retry-after'),
      ])
      expect(found).toEqual(found.map(() => [503, true]))
    }
    await readOnly('off', started)
    await started.proxy.stop()
    await started.proxy.start()
    const isBack = async () => {
      const reply = create()
      await passUntil(reply)
      return (await reply).status
    }
    await expect.poll(isBack, { timeout: 20_000 }).toBe(200)
  },
)
