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
import { clientWith, createPhoneClient, setUp } from './relay-rig.js'

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
      journal: journal.attempts,
      received: journal.received,
      receipts: journal.receipts,
      client: await createPhoneClient(relay.url, credentials, journal),
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
    const idle = () => expect.poll(() => events.map(each => each.event)).toContain('idle')
    return { done, events, finish, idle, journal }
  }
  /** Creates messages to as many numbers. */
  const sendTo = async (count: number) =>
    await Promise.all(
      Array.from({ length: count }, (_, n) =>
        relay.client.messages.create({ destination: `+120255501${10 + n}`, message: `Hello ${n}` }),
      ),
    )
  return { ...relay, open, run, sendTo }
}

describe('eight messages in flight', () => {
  it('at two phones: each of eighty messages is sent once', async () => {
    const { run, sendTo, client } = await openPhones()
    const messages = await sendTo(80)
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

  it('are the most that a phone has', async () => {
    const { run, sendTo } = await openPhones()
    await sendTo(10)
    const gate = new AbortController()
    const driver = new RecordingDriver(
      ...Array.from({ length: 8 }, () => async () => {
        await waitForAbort(gate.signal)
        return {}
      }),
    )
    const phone = await run(await temporaryFolder(), { driver, concurrency: 8 })
    await expect.poll(() => driver.sent.length).toBe(8)
    gate.abort()
    await phone.idle()
    expect(await phone.finish()).toMatchObject({ handled: 10, sent: 10 })
  })

  it('are all reported after a crash, by a phone with two', async () => {
    const { run, sendTo, client } = await openPhones({ mode: 'at-most-once' })
    await sendTo(10)
    const never = () => new Promise<never>(() => {})
    const driver = new RecordingDriver(...Array.from({ length: 8 }, () => never))
    const directory = await temporaryFolder()
    await run(directory, { driver, concurrency: 8 })
    await expect.poll(() => driver.sent.length).toBe(8)
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

it('a message whose lease ends in the driver is not sent again', async () => {
  const { run, send, status, url, account } = await openPhones({}, 1)
  const { id } = await send()
  const client = clientWith(url, account, 'app_key')
  const given: string[] = []
  const nextBatch = client.messages.nextBatch.bind(client.messages)
  client.messages.nextBatch = async options => {
    const batch = await nextBatch(options)
    given.push(...(batch?.messages ?? []).map(each => each.id))
    // A phone that does not know the lease renews it too late.
    return batch && { ...batch, lease: undefined }
  }
  const gate = new AbortController()
  const driver = new RecordingDriver(async () => {
    await waitForAbort(gate.signal)
    return { parts: 3 }
  })
  const phone = await run(await temporaryFolder(), { driver, client, concurrency: 2 })
  await expect.poll(() => given).toEqual([id, id])
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
    const before = await first.journal.readToken()
    await first.finish()
    const { id } = await send()
    const second = await run(directory, { driver, once: true })
    expect(await second.done).toMatchObject({ sent: 1 })
    expect(before).toMatch(/^srt_/)
    expect(await second.journal.readToken()).toBe(before)
    expect(driver.sent).toMatchObject([{ id }])
  })

  it('that is rejected is replaced and stored', async () => {
    const { run, client, send } = await openPhones()
    const directory = await temporaryFolder()
    const driver = new RecordingDriver()
    const first = await run(directory, { driver })
    await first.idle()
    const before = (await first.journal.readToken()) ?? ''
    await first.finish()
    await client.revokeToken(before)
    await send()
    const second = await run(directory, { driver, once: true })
    expect(await second.done).toMatchObject({ sent: 1 })
    const after = await second.journal.readToken()
    expect(after).toMatch(/^srt_/)
    expect(after).not.toBe(before)
  })
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
  expect((await open(await copyAfterCrash(directory))).attempts.unreported()).toEqual([])
})

it('events of the dispatcher and the side tasks are merged', () => {
  const events: string[] = []
  const emit = mergeEvents(({ event }) => events.push(event))
  const all = (event: PhoneEvent) => {
    for (const source of [0, -1, -2]) emit(source, event)
  }
  emit(0, { event: 'ready', driver: 'x' })
  all({ event: 'offline', error: 'gone' })
  emit(0, { event: 'online' })
  emit(0, { event: 'offline', error: 'gone' })
  all({ event: 'online' })
  all({ event: 'trouble', id: 'a', error: 'no modem' })
  all({ event: 'recovered' })
  expect(events).toEqual(['ready', 'offline', 'online', 'trouble', 'recovered'])
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
