import { describe, expect, it } from 'vitest'
import type { Driver, DriverListener } from '../../src/phone/driver-port/driver.js'
import { createDriver } from '../../src/phone/drivers/driver-registry.js'
import type { PhoneEvent } from '../../src/phone/events/phone-events.js'
import { mergeEvents } from '../../src/phone/events/phone-events.js'
import { type RunPhoneOptions, runPhone } from '../../src/phone/run-phone.js'
import { waitForAbort } from '../../src/util/async/abort.js'
import { temporaryFolder } from '../temporary-folder.js'
import { copyAfterCrash, openJournal } from './journal/journal-rig.js'
import { RecordingDriver } from './phone-rig.js'
import { clientWith, createWorkerClient, setUp } from './relay-rig.js'
import { message, ScriptedClient } from './scripted-client.js'

/** A relay, and phones with a journal on disk. */
async function openPhones(...given: Parameters<typeof setUp>) {
  const relay = await setUp(...given)
  const credentials = { user: relay.account.secret_key, password: relay.account.app_key }
  const open = async (directory: string) => await openJournal(directory, { credentials })
  const run = async (
    directory: string,
    options: Pick<RunPhoneOptions, 'driver'> & Partial<RunPhoneOptions>,
  ) => {
    const journal = await open(directory)
    const events: PhoneEvent[] = []
    const stop = new AbortController()
    const done = runPhone({
      journals: journal,
      createClient: async worker =>
        await createWorkerClient(relay.url, credentials, journal, worker),
      stop: stop.signal,
      onEvent: event => events.push(event),
      ...options,
    })
    const finish = async () => {
      stop.abort()
      const result = await done
      await journal[Symbol.asyncDispose]()
      return result
    }
    const idle = () =>
      expect.poll(() => events.map(each => each.event), { timeout: 15_000 }).toContain('idle')
    return { done, events, finish, idle, journal }
  }
  return { ...relay, open, run }
}

describe('eight workers', () => {
  it('of two phones send each of eighty messages once', async () => {
    const { run, send, client } = await openPhones()
    const messages = await Promise.all(Array.from({ length: 80 }, (_, n) => send(`Hello ${n}`)))
    const driver = new RecordingDriver()
    const phones = await Promise.all(
      [1, 2].map(async () => await run(await temporaryFolder(), { driver, concurrency: 4 })),
    )
    await Promise.all(phones.map(async phone => await phone.idle()))
    const results = await Promise.all(phones.map(async phone => await phone.finish()))
    expect(results.map(each => each.sent).reduce((a, b) => a + b)).toBe(80)
    expect(driver.sent.map(each => each.id).sort()).toEqual(messages.map(each => each.id).sort())
    expect(await client.messages.list({ filter: 'sent', count: 100 })).toHaveLength(80)
    for (const { events } of phones) {
      const names = events.map(each => each.event)
      expect(names.filter(name => name === 'ready')).toHaveLength(1)
      expect(names.filter(name => name === 'stopping')).toHaveLength(1)
    }
  })

  it('send eight messages at a time', async () => {
    const { run, send } = await openPhones()
    await Promise.all(Array.from({ length: 10 }, () => send()))
    const gate = new AbortController()
    const driver = new RecordingDriver(
      ...Array.from({ length: 8 }, () => async () => {
        await waitForAbort(gate.signal)
        return {}
      }),
    )
    const phone = await run(await temporaryFolder(), { driver, concurrency: 8 })
    await expect.poll(() => driver.sent.length, { timeout: 10_000 }).toBe(8)
    gate.abort()
    await phone.idle()
    expect(await phone.finish()).toMatchObject({ handled: 10, sent: 10 })
  })

  it('leave their attempts in a crash to fewer workers, which report them all', async () => {
    const { run, send, client } = await openPhones({ mode: 'at-most-once' })
    await Promise.all(Array.from({ length: 10 }, () => send()))
    const never = () => new Promise<never>(() => {})
    const driver = new RecordingDriver(...Array.from({ length: 8 }, () => never))
    const directory = await temporaryFolder()
    await run(directory, { driver, concurrency: 8 })
    await expect.poll(() => driver.sent.length, { timeout: 10_000 }).toBe(8)
    const phone = await run(await copyAfterCrash(directory), { driver, concurrency: 2 })
    await phone.idle()
    expect(await phone.finish()).toEqual({
      ...{ handled: 10, sent: 2, failed: 0, unknown: 8, unreported: 0 },
    })
    expect(phone.events.filter(each => each.event === 'resumed')).toHaveLength(8)
    expect(new Set(driver.sent.map(each => each.id)).size).toBe(10)
    expect(await client.messages.list({ filter: 'locked' })).toHaveLength(8)
  })
})

it('a message whose lease ends in the driver is not sent by another worker', async () => {
  const { run, send, status } = await openPhones({}, 1)
  const { id } = await send()
  const gate = new AbortController()
  const driver = new RecordingDriver(async () => {
    await waitForAbort(gate.signal)
    return { parts: 3 }
  })
  const phone = await run(await temporaryFolder(), { driver, concurrency: 2 })
  const took = () => phone.events.filter(each => each.event === 'took' && each.id === id).length
  await expect.poll(took, { timeout: 10_000 }).toBe(2)
  gate.abort()
  await phone.idle()
  expect(await phone.finish()).toMatchObject({ failed: 0, unknown: 0, unreported: 0 })
  expect(driver.sent).toHaveLength(1)
  expect(await status(id)).toBe('S')
})

describe('a token', () => {
  it('is reused after a restart, so that the leased message is fetched again', async () => {
    const { run, send } = await openPhones({ mode: 'at-most-once' })
    const driver = new RecordingDriver()
    const directory = await temporaryFolder()
    const first = await run(directory, { driver })
    await first.idle()
    const before = await first.journal.readToken(0)
    await first.finish()
    const { id } = await send()
    const second = await run(directory, { driver, once: true })
    expect(await second.done).toMatchObject({ sent: 1 })
    expect(before).toMatch(/^srt_/)
    expect(await second.journal.readToken(0)).toBe(before)
    expect(driver.sent).toMatchObject([{ id }])
  })

  it('that is rejected is replaced and stored', async () => {
    const { run, client, send } = await openPhones()
    const directory = await temporaryFolder()
    const driver = new RecordingDriver()
    const first = await run(directory, { driver })
    await first.idle()
    const before = (await first.journal.readToken(0)) ?? ''
    await first.finish()
    await client.revokeToken(before)
    await send()
    const second = await run(directory, { driver, once: true })
    expect(await second.done).toMatchObject({ sent: 1 })
    const after = await second.journal.readToken(0)
    expect(after).toMatch(/^srt_/)
    expect(after).not.toBe(before)
  })
})

it('unknown keys end all workers with one error', async () => {
  const { url, account, run } = await openPhones()
  const wrong = { ...account, secret_key: 'wrong' }
  const phone = await run(await temporaryFolder(), {
    driver: new RecordingDriver(),
    concurrency: 3,
    createClient: async worker => clientWith(url, worker === 1 ? wrong : account, 'app_key'),
  })
  await expect(phone.done).rejects.toMatchObject({ code: 'invalid_client' })
})

it('a forced stop cancels the attempt in the journal', async () => {
  const { run, send, open } = await openPhones()
  await send()
  const force = new AbortController()
  const directory = await temporaryFolder()
  const phone = await run(directory, {
    driver: createDriver('simulate', { delay: '600000' }),
    force: force.signal,
  })
  await expect.poll(() => phone.events.map(each => each.event)).toContain('took')
  force.abort()
  expect(await phone.done).toMatchObject({ handled: 0 })
  expect((await open(await copyAfterCrash(directory))).workersWithUnreported()).toEqual([])
})

it('events of four workers are merged', () => {
  const events: string[] = []
  const emit = mergeEvents(4, ({ event }) => events.push(event))
  const all = (event: PhoneEvent) => {
    for (const worker of [0, 1, 2, 3]) emit(worker, event)
  }
  all({ event: 'ready', driver: 'x' })
  all({ event: 'idle' })
  emit(2, { event: 'took', id: 'a', destination: '1' })
  emit(2, { event: 'idle' })
  all({ event: 'offline', error: 'gone' })
  emit(0, { event: 'online' })
  emit(0, { event: 'offline', error: 'gone' })
  all({ event: 'online' })
  all({ event: 'trouble', id: 'a', error: 'no modem' })
  all({ event: 'recovered' })
  all({ event: 'stopping' })
  emit(1, { event: 'stopping', id: 'a' })
  expect(events).toEqual([
    ...['ready', 'idle', 'took', 'idle', 'offline', 'online'],
    ...['trouble', 'recovered', 'stopping', 'stopping'],
  ])
})

it('workers with a journal in memory share what was sent', async () => {
  const driver = new RecordingDriver()
  const stop = new AbortController()
  let ended = 0
  const clients = [0, 1].map(() => new ScriptedClient([message('a')]))
  for (const client of clients) {
    client.atEnd = () => {
      ended += 1
      if (ended === 2) stop.abort()
    }
  }
  const result = await runPhone({
    driver,
    concurrency: 2,
    createClient: async worker => clients[worker] ?? new ScriptedClient([]),
    stop: stop.signal,
  })
  expect(driver.sent).toHaveLength(1)
  expect(result).toMatchObject({ handled: 2, sent: 2 })
})

it('received texts and receipts are emitted', async () => {
  const { run } = await openPhones()
  const driver: Driver = Object.assign(new RecordingDriver(), {
    listen: (listener: DriverListener) => {
      listener.onText({ from: '+12025550199', text: 'Stop', at: 0 })
      listener.onReceipt({ to: '+12025550123', state: 'delivered' })
    },
  })
  const phone = await run(await temporaryFolder(), { driver, concurrency: 2 })
  await phone.idle()
  await phone.finish()
  const received = { event: 'received', from: '+12025550199', text: 'Stop' }
  expect(phone.events).toContainEqual(received)
  expect(phone.events).toContainEqual({
    ...{ event: 'reported', to: '+12025550123', state: 'delivered' },
  })
})
