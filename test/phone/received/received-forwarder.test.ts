import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import type {
  ReceivedTextFields,
  ReceivedTextReport,
} from '../../../src/contract/received-text-schema.js'
import { RelayError } from '../../../src/errors.js'
import type { Driver, DriverListener } from '../../../src/phone/driver-port/driver.js'
import type { PhoneEvent } from '../../../src/phone/events/phone-events.js'
import { type RunPhoneOptions, runPhone } from '../../../src/phone/run-phone.js'
import { createClock } from '../../../src/util/async/clock.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { FakeClock } from '../../util/async/fake-clock.js'
import { copyAfterCrash, openJournal } from '../journal/journal-rig.js'
import { unreachable } from '../phone-rig.js'
import { ScriptedClient, untilAborted } from '../scripted-client.js'

const at = Date.UTC(2026, 10, 21, 10, 11, 12)

/** A driver that receives texts when the test calls it. */
class ReceivingDriver implements Driver {
  readonly name = 'receiving'
  listener: DriverListener | undefined

  async send() {
    return {}
  }

  listen(listener: DriverListener): void {
    this.listener = listener
  }

  async receive(text: string): Promise<void> {
    await this.listener?.onText({ from: '+12025550123', text, at })
  }

  async [Symbol.asyncDispose]() {}
}

function toFields(report: ReceivedTextReport, id = `r-${report.message}`): ReceivedTextFields {
  const { from, message, received_on = '', phone = null } = report
  return { id, from, number: from, message, received_on, phone, word: null }
}

/** Starts a phone without messages to send, with a journal on disk. */
async function startReceiving(
  directory: string,
  client: ScriptedClient,
  more: Partial<RunPhoneOptions> = {},
) {
  const journal = await openJournal(directory)
  const driver = new ReceivingDriver()
  const stop = new AbortController()
  const events: PhoneEvent[] = []
  const clock = new FakeClock({ auto: true, start: at + 5000 })
  const done = runPhone({
    ...{ driver, received: journal.received, stop: stop.signal, clock, random: () => 1 },
    client,
    onEvent: event => events.push(event),
    ...more,
  })
  const finish = async () => {
    stop.abort()
    await done
    await journal[Symbol.asyncDispose]()
  }
  onTestFinished(finish)
  await expect.poll(() => driver.listener).toBeDefined()
  return { driver, events, finish, clock }
}

const select = (events: readonly PhoneEvent[], name: PhoneEvent['event']) =>
  events.filter(each => each.event === name)

it('a received text is reported with its sender and time', async () => {
  const client = new ScriptedClient([])
  client.takes = async report => ({ ...toFields(report, 'r1'), word: 'stop' })
  const { driver, events } = await startReceiving(await temporaryFolder(), client)
  await driver.receive('STOP')
  await expect.poll(() => select(events, 'forwarded')).toHaveLength(1)
  expect(client.of('received')).toMatchObject([
    { from: '+12025550123', message: 'STOP', received_on: '2026-11-21 10:11:12' },
  ])
  expect(select(events, 'received')).toEqual([
    { event: 'received', from: '+12025550123', text: 'STOP' },
  ])
  expect(select(events, 'forwarded')).toEqual([
    { event: 'forwarded', received: 'r1', from: '+12025550123', word: 'stop' },
  ])
})

it('a phone that dies before a report sends it after its restart, with the same key', async () => {
  const directory = await temporaryFolder()
  const client = new ScriptedClient([])
  client.takes = async (_, options) => await untilAborted(options)
  const first = await startReceiving(directory, client)
  for (const each of ['a', 'b', 'c']) await first.driver.receive(each)
  await expect.poll(() => client.of('received')).toHaveLength(1)
  const back = new ScriptedClient([])
  back.takes = async report => toFields(report)
  const { events } = await startReceiving(await copyAfterCrash(directory), back)
  await expect.poll(() => select(events, 'forwarded')).toHaveLength(3)
  expect(back.of('received').map(each => each.message)).toEqual(['a', 'b', 'c'])
  expect(back.of('received')[0]?.key).toBe(client.of('received')[0]?.key)
})

it('a relay that was down gets the texts later, each once and in order', async () => {
  const client = new ScriptedClient([])
  const answers = [unreachable, unreachable, undefined, unreachable]
  client.takes = async report => {
    const error = answers.shift()
    if (error !== undefined) throw error
    return toFields(report)
  }
  const { driver, events } = await startReceiving(await temporaryFolder(), client)
  for (const each of ['a', 'b']) await driver.receive(each)
  await expect.poll(() => select(events, 'forwarded')).toHaveLength(2)
  expect(client.of('received').map(each => each.message)).toEqual(['a', 'a', 'a', 'b', 'b'])
  expect(new Set(client.of('received').map(each => each.key)).size).toBe(2)
  expect(select(events, 'offline')).toHaveLength(2)
  expect(select(events, 'online')).toHaveLength(2)
})

it('a relay that does not accept received texts is reported once', async () => {
  const directory = await temporaryFolder()
  const client = new ScriptedClient([])
  const { driver, events, finish } = await startReceiving(directory, client)
  for (const each of ['a', 'b']) await driver.receive(each)
  await expect.poll(() => select(events, 'unforwarded')).toHaveLength(1)
  await finish()
  expect(select(events, 'received')).toHaveLength(2)
  expect(client.of('received')).toHaveLength(1)
  expect(select(events, 'unforwarded')).toHaveLength(1)
})

it('a rejected text does not delay the next one', async () => {
  const client = new ScriptedClient([])
  client.takes = async report => {
    if (report.message === 'bad') throw new RelayError('invalid_parameter', '`message` is bad.')
    return toFields(report)
  }
  const { driver, events } = await startReceiving(await temporaryFolder(), client)
  for (const each of ['bad', 'good']) await driver.receive(each)
  await expect.poll(() => select(events, 'forwarded')).toHaveLength(1)
  expect(select(events, 'unforwarded')).toMatchObject([{ error: '`message` is bad.' }])
})

it('texts that are received during a stop are reported if the relay answers', async () => {
  const directory = await temporaryFolder()
  const client = new ScriptedClient([])
  const { driver, finish } = await startReceiving(directory, client, { clock: createClock() })
  const answered = new AbortController()
  client.takes = async report => {
    await once(answered.signal, 'abort')
    return toFields(report)
  }
  for (const each of ['a', 'b']) await driver.receive(each)
  await expect.poll(() => client.of('received')).toHaveLength(1)
  client.takes = async report => toFields(report)
  const finished = finish()
  answered.abort()
  await finished
  expect(client.of('received').map(each => each.message)).toEqual(['a', 'b'])
})

it('a stop ends while texts keep arriving, and the rest is reported by the next run', async () => {
  const directory = await temporaryFolder()
  const client = new ScriptedClient([])
  const { driver, finish } = await startReceiving(directory, client)
  let received = 0
  client.takes = async report => {
    if (received < 1000) await driver.receive(`${++received}`)
    return toFields(report)
  }
  await driver.receive('0')
  await finish()
  const reported = client.of('received').map(each => each.message)
  expect(reported.length).toBeLessThan(1000)
  const back = new ScriptedClient([])
  back.takes = async report => toFields(report)
  const { events } = await startReceiving(directory, back)
  const left = received + 1 - reported.length
  await expect.poll(() => select(events, 'forwarded')).toHaveLength(left)
})

it('an incomplete text is reported after a day', async () => {
  const client = new ScriptedClient([])
  client.takes = async report => toFields(report)
  let late = 0
  const clock = createClock()
  const days: (() => void)[] = []
  const { driver, events } = await startReceiving(await temporaryFolder(), client, {
    clock: {
      ...clock,
      now: () => at + 5000 + late,
      sleep: async (milliseconds, signal) => {
        if (milliseconds < 600_000) return await clock.sleep(milliseconds, signal)
        await new Promise<void>(resolve => days.push(resolve))
      },
    },
  })
  const part = { reference: 1, count: 2, number: 1 }
  await driver.listener?.onText({ from: '+12025550123', text: 'half', at, part })
  await expect.poll(() => days).toHaveLength(1)
  late = 86_400_001
  days[0]?.()
  await expect.poll(() => select(events, 'forwarded')).toHaveLength(1)
  expect(client.of('received').map(each => each.message)).toEqual(['half[…]'])
})

it('a forced stop does not wait for the answer to a report', async () => {
  const client = new ScriptedClient([])
  client.takes = async (_, options) => await untilAborted(options)
  const force = new AbortController()
  const { driver, finish } = await startReceiving(await temporaryFolder(), client, {
    force: force.signal,
    clock: createClock(),
  })
  await driver.receive('a')
  await expect.poll(() => client.of('received')).toHaveLength(1)
  const began = performance.now()
  force.abort()
  await finish()
  expect(performance.now() - began).toBeLessThan(2000)
})

it('texts that cannot be reported before the stop are reported by the next run', async () => {
  const directory = await temporaryFolder()
  const client = new ScriptedClient([])
  client.takes = async () => {
    throw unreachable
  }
  const { driver, finish } = await startReceiving(directory, client)
  await driver.receive('a')
  await expect.poll(() => client.of('received').length).toBeGreaterThan(0)
  await finish()
  const back = new ScriptedClient([])
  back.takes = async report => toFields(report)
  const { events } = await startReceiving(directory, back)
  await expect.poll(() => select(events, 'forwarded')).toHaveLength(1)
})

it('without forwarding texts are emitted, but not reported', async () => {
  const client = new ScriptedClient([])
  const directory = await temporaryFolder()
  const { driver, events, finish } = await startReceiving(directory, client, { forward: false })
  await driver.receive('a')
  await finish()
  expect([select(events, 'received').length, client.of('received').length]).toEqual([1, 0])
})
