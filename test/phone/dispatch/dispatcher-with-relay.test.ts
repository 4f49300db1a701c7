import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { RelayClient } from '../../../src/index.js'
import { type Driver, DriverError } from '../../../src/phone/driver-port/driver.js'
import { createDriver } from '../../../src/phone/drivers/driver-registry.js'
import { createFastClock } from '../../util/async/fast-clock.js'
import { RecordingDriver } from '../phone-rig.js'
import { clientWith, destination, setUp, startPhone } from '../relay-rig.js'

it('a waiting message is sent, and one that is created while the phone waits', async () => {
  const { phone, send, client } = await setUp()
  const first = await send('x'.repeat(161))
  const driver = new RecordingDriver()
  const running = phone(driver)
  await running.waitFor('idle')
  const second = await send()
  await expect.poll(() => driver.sent.length).toBe(2)
  expect(await running.finish()).toMatchObject({ handled: 2, sent: 2 })
  expect(driver.sent.map(each => each.id)).toEqual([first.id, second.id])
  const sent = await client.messages.list({ filter: 'sent' })
  expect(sent.map(each => each.id)).toEqual([second.id, first.id])
})

it('a stop ends the long poll and leaves no message leased', async () => {
  const { phone, send, status } = await setUp({ mode: 'at-most-once' })
  const running = phone(new RecordingDriver())
  await running.waitFor('idle')
  await running.finish()
  const { id } = await send()
  const later = phone(new RecordingDriver(), { once: true })
  expect(await later.done).toMatchObject({ sent: 1 })
  expect(await status(id)).toBe('S')
})

it('a failure counts as an attempt, driver trouble does not', async () => {
  const { phone, send, client } = await setUp()
  const { id } = await send()
  const driver = new RecordingDriver(
    () => Promise.reject(new DriverError('trouble', 'no modem')),
    () => Promise.reject(new DriverError('retry', 'busy')),
  )
  const running = phone(driver)
  await running.waitFor('failed')
  expect(await running.finish()).toMatchObject({ handled: 1, failed: 1 })
  expect(driver.sent.map(each => each.id)).toEqual([id, id])
  expect(await client.messages.get(id)).toMatchObject({ status: 'E', failure_count: 1 })
})

it('a number that the network throttles stops no other and costs no attempt', async () => {
  const { phone, client, status } = await setUp()
  const create = async (to: string) =>
    (await client.messages.create({ destination: to, message: 'Hello' })).id
  const throttled = await Promise.all(Array.from({ length: 9 }, () => create('+12025550700')))
  const others = await Promise.all([701, 702, 703].map(n => create(`+12025550${n}`)))
  const driver: Driver = {
    name: 'throttled',
    async send({ destination }) {
      const isThrottled = destination === '+12025550700'
      if (isThrottled) throw new DriverError('trouble', 'too many messages', { wait: 2000 })
      return {}
    },
    async [Symbol.asyncDispose]() {},
  }
  const running = phone(driver)
  for (const id of others) await expect.poll(() => status(id)).toBe('S')
  await expect.poll(() => running.events.map(each => each.event)).toContain('returned')
  await running.finish()
  for (const id of throttled)
    expect(await client.messages.get(id)).toMatchObject({ status: 'N', failure_count: 0 })
})

it('an unknown outcome locks the message of an at-most-once account', async () => {
  const { phone, send, status } = await setUp({ mode: 'at-most-once' })
  const { id } = await send()
  const driver = new RecordingDriver(() => Promise.reject(new DriverError('unknown', 'silence')))
  expect(await phone(driver, { once: true }).done).toMatchObject({ handled: 1, unknown: 1 })
  expect(await status(id)).toBe('L')
})

it('test numbers have their outcomes', async () => {
  const { phone, client, status } = await setUp()
  const good = await client.messages.create({ destination: '5551212', message: 'Hello' })
  const bad = await client.messages.create({ destination: '5551213', message: 'Hello' })
  const driver = new RecordingDriver()
  const running = phone(driver)
  await running.waitFor('idle')
  await running.finish()
  expect(driver.sent).toEqual([])
  expect([await status(good.id), await status(bad.id)]).toEqual(['S', 'E'])
})

it('a relay that restarts while a text is sent gets its report, and one text is sent', async () => {
  const { phone, send, status, stop, again } = await setUp()
  const { id } = await send()
  let stopped = Promise.resolve()
  const driver = new RecordingDriver(async () => {
    stopped = stop()
    await stopped
    return { parts: 1 }
  })
  const running = phone(driver)
  await running.waitFor('offline')
  await stopped
  await again()
  await running.waitFor('sent')
  expect(running.events.map(each => each.event)).toEqual(
    expect.arrayContaining(['offline', 'online', 'reported-late', 'sent']),
  )
  await running.finish()
  expect(driver.sent).toHaveLength(1)
  expect(await status(id)).toBe('S')
})

it('a phone that waits while the relay restarts goes on', async () => {
  const { phone, send, stop, again } = await setUp()
  const driver = new RecordingDriver()
  const running = phone(driver)
  await running.waitFor('idle')
  await stop()
  await running.waitFor('offline')
  await again()
  const { id } = await send()
  await running.waitFor('sent')
  await running.finish()
  expect(driver.sent.map(each => each.id)).toEqual([id])
  expect(running.events.filter(each => each.event === 'offline')).toHaveLength(1)
})

it('a report after the end of the lease is accepted, and nothing is sent again', async () => {
  const { phone, send, status } = await setUp({ mode: 'at-most-once' }, 1)
  const { id } = await send()
  const driver = new RecordingDriver(async () => {
    await expect.poll(() => status(id)).toBe('L')
    return {}
  })
  // Without timers the phone does not renew the lease.
  const clock = { ...createFastClock(10), after: () => () => {} }
  const { done } = phone(driver, { once: true, clock })
  expect(await done).toMatchObject({ sent: 1, unreported: 0 })
  expect(await status(id)).toBe('S')
})

it('the report of a message that was deleted meanwhile is refused', async () => {
  const { phone, send, client } = await setUp()
  const { id } = await send()
  const driver = new RecordingDriver(async () => {
    await client.messages.delete(id)
    return {}
  })
  const running = phone(driver, { once: true })
  expect(await running.done).toMatchObject({ sent: 1, unreported: 1 })
  expect(running.events).toContainEqual(
    expect.objectContaining({ event: 'refused', id, code: 'not_a_message' }),
  )
})

it('a revoked token is replaced without an outage', async () => {
  const { phone, send, client, url, account } = await setUp()
  const tokens: string[] = []
  const credentials = { user: account.secret_key, password: account.app_key }
  const recording = new RelayClient({
    url,
    credentials,
    fetch: async (input, init) => {
      const request = new Request(input, init)
      tokens.push(request.headers.get('authorization')?.replace('Bearer ', '') ?? '')
      return await fetch(request)
    },
  })
  const running = phone(new RecordingDriver(), { client: recording })
  await running.waitFor('idle')
  await client.revokeToken(tokens.at(-1) ?? '')
  await send()
  await running.waitFor('sent')
  await running.finish()
  expect(running.events.map(each => each.event)).not.toContain('offline')
})

it('the API key is rejected with a hint', async () => {
  const { url, account } = await setUp()
  const running = startPhone(clientWith(url, account, 'api_key'), new RecordingDriver(), {})
  await expect(running.done).rejects.toMatchObject({
    code: 'insufficient_scope',
    hint: expect.stringContaining('application key'),
  })
})

it('unknown keys are rejected', async () => {
  const { url, account } = await setUp()
  const wrong = { ...account, secret_key: 'wrong' }
  const running = startPhone(clientWith(url, wrong, 'app_key'), new RecordingDriver(), {})
  await expect(running.done).rejects.toMatchObject({ code: 'invalid_client' })
})

it('four phones send each of forty messages once', async () => {
  const { phone, send, client } = await setUp()
  const messages = await Promise.all(Array.from({ length: 40 }, (_, n) => send(`Hello ${n}`)))
  const driver = new RecordingDriver()
  const phones = Array.from({ length: 4 }, () => phone(driver))
  for (const each of phones) await each.waitFor('idle')
  for (const each of phones) await each.finish()
  const ids = driver.sent.map(each => each.id).sort()
  expect(ids).toEqual(messages.map(each => each.id).sort())
  expect(await client.messages.list({ filter: 'sent', count: 100 })).toHaveLength(40)
})

it('a program sends the text, and its number of parts is reported', async () => {
  const { phone, send, status, dataDir } = await setUp()
  const file = join(dataDir, 'sent.txt')
  const script = join(dataDir, 'send.mjs')
  const code = `import fs from 'node:fs'
    fs.appendFileSync(${JSON.stringify(file)}, process.argv.slice(2).join(': '))
    console.log(2)`
  await writeFile(script, code)
  const driver = createDriver('exec', { command: `'${process.execPath}' '${script}'` })
  const { id } = await send('-rf $HOME')
  const running = phone(driver, { once: true })
  expect(await running.done).toMatchObject({ sent: 1 })
  expect(running.events).toContainEqual({ event: 'sent', id, parts: 2, test: false })
  expect(await readFile(file, 'utf8')).toBe(`${destination}: -rf $HOME`)
  expect(await status(id)).toBe('S')
})
