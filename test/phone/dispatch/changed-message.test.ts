import { describe, expect, it } from 'vitest'
import type { MessageFields } from '../../../src/contract/message-schema.js'
import { RelayError } from '../../../src/errors.js'
import type { DriverMessage } from '../../../src/phone/driver-port/driver.js'
import { createDriver } from '../../../src/phone/drivers/driver-registry.js'
import { createClock } from '../../../src/util/async/clock.js'
import { Semaphore } from '../../../src/util/async/semaphore.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { ScriptedModem } from '../drivers/modem/scripted-modem.js'
import { serveModem } from '../drivers/modem/serve-modem.js'
import { openJournal } from '../journal/journal-rig.js'
import { RecordingDriver, startPhone, unreachable } from '../phone-rig.js'
import { setUp } from '../relay-rig.js'
import { message, ScriptedClient } from '../scripted-client.js'

/** A driver that sends one text at a time; before each it runs a wait. */
class PacedDriver extends RecordingDriver {
  readonly #gate = new Semaphore(1, 100)
  readonly #waits: (() => Promise<unknown> | unknown)[]
  waiting = 0

  constructor(...waits: (() => Promise<unknown> | unknown)[]) {
    super()
    this.#waits = waits
  }

  override async send(text: DriverMessage, signal: AbortSignal) {
    this.waiting += 1
    return await this.#gate.run(async () => {
      await this.#waits.shift()?.()
      await text.assertCurrent?.()
      return await super.send(text, signal)
    })
  }
}

/** Starts a phone whose message waits in the driver while it changes at the relay. */
function startWithWait(then: MessageFields | Error, seconds = 2) {
  const client = new ScriptedClient([message('a')])
  client.shows = async () => {
    if (then instanceof Error) throw then
    return then
  }
  let elapsed = 0
  const driver = new PacedDriver(() => {
    elapsed += seconds * 1000
  })
  const phone = startPhone(client, driver, {
    clock: { ...createClock(), monotonic: () => elapsed },
  })
  return { client, driver, phone }
}

describe('a message that waited in the driver', () => {
  it.each(['B', 'L', 'D', 'S', 'F'] as const)('and is in %s now is not sent', async status => {
    const { client, driver, phone } = startWithWait(message('a', { status }))
    expect(await phone.done).toMatchObject({ handled: 0 })
    expect(driver.sent).toEqual([])
    expect(client.of('success')).toEqual([])
    expect(phone.events).toContainEqual({ event: 'skipped', id: 'a', status })
  })

  it.each<[string, Partial<MessageFields>]>([
    ['to be sent later', { send_on: '2999-01-01 00:00:00' }],
    ['and locked', { status: 'L' }],
    ['and blocked', { status: 'B' }],
  ])('and was edited %s is not sent but released', async (_, edit) => {
    const { client, driver, phone } = startWithWait(message('a', edit))
    expect(await phone.done).toMatchObject({ handled: 0 })
    expect([driver.sent, client.of('release').length]).toEqual([[], 1])
    expect(phone.names()).toContain('skipped')
  })

  it('and no longer exists is not sent', async () => {
    const { driver, phone } = startWithWait(
      new RelayError('not_a_message', 'There is no message a.'),
    )
    await phone.done
    expect([driver.sent, phone.names().includes('skipped')]).toEqual([[], true])
  })

  it.each<[string, Partial<MessageFields>]>([
    ['text', { message: 'Hello again' }],
    ['number', { destination: '+12025550177', status: 'E' }],
  ])('and has a new %s is sent with it', async (_, edit) => {
    const { client, driver, phone } = startWithWait(message('a', edit))
    expect(await phone.done).toMatchObject({ sent: 1 })
    const { destination, message: text } = message('a', edit)
    expect(driver.sent).toMatchObject([{ destination, text }])
    expect(client.of('success')).toHaveLength(1)
  })

  it('is sent if the relay does not answer', async () => {
    const { driver, phone } = startWithWait(unreachable)
    expect(await phone.done).toMatchObject({ sent: 1 })
    expect(driver.sent).toHaveLength(1)
  })

  it('for less than a second is sent without a check', async () => {
    const { client, phone } = startWithWait(message('a', { status: 'B' }), 1)
    expect(await phone.done).toMatchObject({ sent: 1 })
    expect(client.of('renew')).toEqual([])
  })

  it('and is not sent leaves no open attempt in the journal', async () => {
    const directory = await temporaryFolder()
    const journal = await openJournal(directory)
    const client = new ScriptedClient([message('a')])
    client.shows = async () => message('a', { status: 'B' })
    let elapsed = 0
    const driver = new PacedDriver(() => {
      elapsed += 2000
    })
    const options = {
      journal: journal.attempts,
      clock: { ...createClock(), monotonic: () => elapsed },
    }
    await startPhone(client, driver, options).done
    await journal[Symbol.asyncDispose]()
    expect((await openJournal(directory)).attempts.unreported()).toEqual([])
  })
})

it('a number that is blocked while its message waits gets no text', async () => {
  const world = await setUp()
  const { id } = await world.send()
  const other = await world.client.messages.create({ destination: '+12025550177', message: 'Hi' })
  let elapsed = 0
  const driver = new PacedDriver(async () => {
    await world.client.doNotText.add('+12025550123')
    elapsed += 2000
  })
  const phone = world.phone(driver, {
    clock: { ...createClock(), monotonic: () => elapsed },
    wait: 1,
  })
  await phone.waitFor('sent')
  await phone.finish()
  expect(phone.events).toContainEqual({ event: 'skipped', id, status: 'B' })
  expect(driver.sent.map(each => each.id)).toEqual([other.id])
  expect(await world.status(id)).toBe('B')
})

it('a modem checks each text just before it is sent', async () => {
  const modem = new ScriptedModem()
  const driver = createDriver('modem', { device: await serveModem(modem) })
  const order: string[] = []
  const send = async (id: string) => {
    const assertCurrent = async () => void order.push(`${id} after ${modem.sent.length}`)
    await driver.send(
      { id, destination: '+1', text: 'x'.repeat(200), assertCurrent },
      AbortSignal.timeout(9e4),
    )
  }
  await Promise.all(['a', 'b', 'c'].map(send))
  await driver[Symbol.asyncDispose]()
  expect(order).toEqual(['a after 0', 'b after 2', 'c after 4'])
  expect(modem.sent.map(each => each.place?.number)).toEqual([1, 2, 1, 2, 1, 2])
})
