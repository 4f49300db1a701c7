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
import { FakeClock } from '../../util/async/fake-clock.js'
import { crashed, folder, openJournal } from '../journal/journal-rig.js'
import { unreachable } from '../phone-rig.js'
import { ScriptedClient, untilAborted } from '../scripted-client.js'

const at = Date.UTC(2026, 10, 21, 10, 11, 12)

/** A driver through which texts come in when the test says so. */
class Mouth implements Driver {
  readonly name = 'mouth'
  listener: DriverListener | undefined

  async send() {
    return {}
  }

  listen(listener: DriverListener): void {
    this.listener = listener
  }

  async say(text: string): Promise<void> {
    await this.listener?.onText({ from: '+12025550123', text, at })
  }

  async [Symbol.asyncDispose]() {}
}

function fieldsOf(report: ReceivedTextReport, id = `r-${report.message}`): ReceivedTextFields {
  const { from, message, received_on = '', phone = null } = report
  return { id, from, number: from, message, received_on, phone, word: null }
}

/** A phone that only listens, with a journal on disk. */
async function listen(
  directory: string,
  client: ScriptedClient,
  more: Partial<RunPhoneOptions> = {},
) {
  const journal = await openJournal(directory)
  const driver = new Mouth()
  const stop = new AbortController()
  const events: PhoneEvent[] = []
  const clock = new FakeClock({ auto: true, start: at + 5000 })
  const done = runPhone({
    ...{ driver, journals: journal, stop: stop.signal, clock, random: () => 1 },
    createClient: async () => client,
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

const told = (events: readonly PhoneEvent[], name: PhoneEvent['event']) =>
  events.filter(each => each.event === name)

it('a text that comes in is reported to the relay, with whose and when', async () => {
  const client = new ScriptedClient([])
  client.takes = async report => ({ ...fieldsOf(report, 'r1'), word: 'stop' })
  const { driver, events } = await listen(await folder(), client)
  await driver.say('STOP')
  await expect.poll(() => told(events, 'forwarded')).toHaveLength(1)
  expect(client.of('received')).toMatchObject([
    { from: '+12025550123', message: 'STOP', received_on: '2026-11-21 10:11:12' },
  ])
  expect(told(events, 'received')).toEqual([
    { event: 'received', from: '+12025550123', text: 'STOP' },
  ])
  expect(told(events, 'forwarded')).toEqual([
    { event: 'forwarded', received: 'r1', from: '+12025550123', word: 'stop' },
  ])
})

it('killed between taking a text and reporting it, the phone reports it when it is back, under the same key', async () => {
  const directory = await folder()
  const client = new ScriptedClient([])
  client.takes = async (_, options) => await untilAborted(options)
  const first = await listen(directory, client)
  for (const each of ['a', 'b', 'c']) await first.driver.say(each)
  await expect.poll(() => client.of('received')).toHaveLength(1)
  const back = new ScriptedClient([])
  back.takes = async report => fieldsOf(report)
  const { events } = await listen(await crashed(directory), back)
  await expect.poll(() => told(events, 'forwarded')).toHaveLength(3)
  expect(back.of('received').map(each => each.message)).toEqual(['a', 'b', 'c'])
  expect(back.of('received')[0]?.key).toBe(client.of('received')[0]?.key)
})

it('a relay that is away gets the texts later, each once and in their order', async () => {
  const client = new ScriptedClient([])
  const answers = [unreachable, unreachable, undefined, unreachable]
  client.takes = async report => {
    const error = answers.shift()
    if (error !== undefined) throw error
    return fieldsOf(report)
  }
  const { driver, events } = await listen(await folder(), client)
  for (const each of ['a', 'b']) await driver.say(each)
  await expect.poll(() => told(events, 'forwarded')).toHaveLength(2)
  expect(client.of('received').map(each => each.message)).toEqual(['a', 'a', 'a', 'b', 'b'])
  expect(new Set(client.of('received').map(each => each.key)).size).toBe(2)
  expect(told(events, 'offline')).toHaveLength(2)
  expect(told(events, 'online')).toHaveLength(2)
})

it('a relay that takes no such texts is told of once, and they are shown', async () => {
  const directory = await folder()
  const client = new ScriptedClient([])
  const { driver, events, finish } = await listen(directory, client)
  for (const each of ['a', 'b']) await driver.say(each)
  await expect.poll(() => told(events, 'unforwarded')).toHaveLength(1)
  await finish()
  expect(told(events, 'received')).toHaveLength(2)
  expect(client.of('received')).toHaveLength(1)
  expect(told(events, 'unforwarded')).toHaveLength(1)
})

it('a text that the relay refuses does not keep the next one back', async () => {
  const client = new ScriptedClient([])
  client.takes = async report => {
    if (report.message === 'bad') throw new RelayError('invalid_parameter', '`message` is bad.')
    return fieldsOf(report)
  }
  const { driver, events } = await listen(await folder(), client)
  for (const each of ['bad', 'good']) await driver.say(each)
  await expect.poll(() => told(events, 'forwarded')).toHaveLength(1)
  expect(told(events, 'unforwarded')).toMatchObject([{ error: '`message` is bad.' }])
})

it('what comes in while the phone stops is reported first, when the relay answers', async () => {
  const directory = await folder()
  const client = new ScriptedClient([])
  const { driver, finish } = await listen(directory, client, { clock: createClock() })
  const answered = new AbortController()
  client.takes = async report => {
    await once(answered.signal, 'abort')
    return fieldsOf(report)
  }
  for (const each of ['a', 'b']) await driver.say(each)
  await expect.poll(() => client.of('received')).toHaveLength(1)
  client.takes = async report => fieldsOf(report)
  const finished = finish()
  answered.abort()
  await finished
  expect(client.of('received').map(each => each.message)).toEqual(['a', 'b'])
})

it('a phone that stops ends although texts come in all the time, and keeps them for its next run', async () => {
  const directory = await folder()
  const client = new ScriptedClient([])
  const { driver, finish } = await listen(directory, client)
  let kept = 0
  client.takes = async report => {
    if (kept < 1000) await driver.say(`${++kept}`)
    return fieldsOf(report)
  }
  await driver.say('0')
  await finish()
  const reported = client.of('received').map(each => each.message)
  expect(reported.length).toBeLessThan(1000)
  const back = new ScriptedClient([])
  back.takes = async report => fieldsOf(report)
  const { events } = await listen(directory, back)
  const left = kept + 1 - reported.length
  await expect.poll(() => told(events, 'forwarded')).toHaveLength(left)
})

it('what there is of a text whose rest never comes is reported a day later, though nothing else comes in', async () => {
  const client = new ScriptedClient([])
  client.takes = async report => fieldsOf(report)
  let late = 0
  const clock = createClock()
  const days: (() => void)[] = []
  const { driver, events } = await listen(await folder(), client, {
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
  await expect.poll(() => told(events, 'forwarded')).toHaveLength(1)
  expect(client.of('received').map(each => each.message)).toEqual(['half[…]'])
})

it('a phone that is to end at once does not wait for the answer to a report', async () => {
  const client = new ScriptedClient([])
  client.takes = async (_, options) => await untilAborted(options)
  const force = new AbortController()
  const { driver, finish } = await listen(await folder(), client, {
    force: force.signal,
    clock: createClock(),
  })
  await driver.say('a')
  await expect.poll(() => client.of('received')).toHaveLength(1)
  const began = performance.now()
  force.abort()
  await finish()
  expect(performance.now() - began).toBeLessThan(2000)
})

it('a phone that stops while the relay is away keeps the texts for its next run', async () => {
  const directory = await folder()
  const client = new ScriptedClient([])
  client.takes = async () => {
    throw unreachable
  }
  const { driver, finish } = await listen(directory, client)
  await driver.say('a')
  await expect.poll(() => client.of('received').length).toBeGreaterThan(0)
  await finish()
  const back = new ScriptedClient([])
  back.takes = async report => fieldsOf(report)
  const { events } = await listen(directory, back)
  await expect.poll(() => told(events, 'forwarded')).toHaveLength(1)
})

it('with forward off texts are shown, and not reported', async () => {
  const client = new ScriptedClient([])
  const { driver, events, finish } = await listen(await folder(), client, { forward: false })
  await driver.say('a')
  await finish()
  expect([told(events, 'received').length, client.of('received').length]).toEqual([1, 0])
})
