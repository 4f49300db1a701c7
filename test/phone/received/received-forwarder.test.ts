import { once } from 'node:events'
import { expect, it } from 'vitest'
import { createClock } from '../../../src/util/async/clock.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { FakeClock } from '../../util/async/fake-clock.js'
import { copyAfterCrash } from '../journal/journal-rig.js'
import { unreachable } from '../phone-rig.js'
import { ScriptedClient, untilAborted } from '../scripted-client.js'
import { at, select, startReceiving, toFields } from './receiving-phone.js'

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
    clock: new FakeClock({ start: at }),
  })
  await driver.receive('a')
  await expect.poll(() => client.of('received')).toHaveLength(1)
  force.abort()
  await finish()
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
