import { describe, expect, it, onTestFinished } from 'vitest'
import { RelayError } from '../../../src/errors.js'
import { DriverError } from '../../../src/phone/driver-port/driver.js'
import { createDriver } from '../../../src/phone/drivers/driver-registry.js'
import { createQuietHours } from '../../../src/phone/quiet-hours/quiet-hours.js'
import { runPhone } from '../../../src/phone/run-phone.js'
import { FakeClock } from '../../util/async/fake-clock.js'
import { createFastClock } from '../../util/async/fast-clock.js'
import { ScriptedModem } from '../drivers/modem/scripted-modem.js'
import { serveModem } from '../drivers/modem/serve-modem.js'
import { RecordingDriver, startPhone, unreachable } from '../phone-rig.js'
import { clientWith, setUp } from '../relay-rig.js'
import { message, ScriptedClient, untilAborted } from '../scripted-client.js'

const failWithTrouble = () => {
  throw new DriverError('trouble', 'no modem')
}

describe('a phone that stops', () => {
  it('releases the held message, and another phone sends it at once', async () => {
    const world = await setUp()
    const { id } = await world.send()
    const troubled = world.phone(
      new RecordingDriver(failWithTrouble, failWithTrouble, failWithTrouble),
      { wait: 1 },
    )
    await troubled.waitFor('trouble')
    await troubled.finish()
    expect(troubled.events.at(-1)).toEqual({ event: 'returned', id, reason: 'the phone stops' })
    const other = new RecordingDriver()
    const phone = world.phone(other, { once: true })
    expect(await phone.done).toMatchObject({ sent: 1 })
    expect(await world.client.messages.get(id)).toMatchObject({ status: 'S', failure_count: 0 })
  })

  it('after one message releases it, too', async () => {
    const client = new ScriptedClient([message('a')])
    await startPhone(client, new RecordingDriver(failWithTrouble), { once: true }).done
    expect(client.of('release')).toEqual([{ call: 'release', id: 'a' }])
  })

  it('releases a message that arrives after the stop', async () => {
    const client = new ScriptedClient([undefined, untilAborted, message('a')])
    const driver = new RecordingDriver()
    const phone = startPhone(client, driver)
    await expect.poll(() => client.calls.length).toBe(2)
    phone.stop.abort()
    expect(await phone.done).toMatchObject({ handled: 0 })
    expect([driver.sent, client.of('release').length]).toEqual([[], 1])
  })

  it('does not send a message if the result of its release is unknown', async () => {
    const client = new ScriptedClient([undefined, untilAborted, message('a'), message('a')])
    client.takesBack = async () => {
      throw unreachable
    }
    const driver = new RecordingDriver()
    const phone = startPhone(client, driver)
    await expect.poll(() => client.calls.length).toBe(2)
    phone.stop.abort()
    expect(await phone.done).toMatchObject({ handled: 0 })
    expect([driver.sent, client.of('release').length]).toEqual([[], 3])
  })

  it('repeats a release without an answer', async () => {
    const client = new ScriptedClient([undefined, untilAborted, message('a')])
    const answers = [unreachable]
    client.takesBack = async id => {
      const error = answers.shift()
      if (error !== undefined) throw error
      return message(id)
    }
    const phone = startPhone(client, new RecordingDriver())
    await expect.poll(() => client.calls.length).toBe(2)
    phone.stop.abort()
    await phone.done
    expect(phone.names()).toContain('returned')
  })

  it.each([
    ['was sent', async () => ({})],
    ['may have been sent', () => Promise.reject(new DriverError('unknown', 'no answer'))],
    ['failed', () => Promise.reject(new DriverError('retry', 'busy'))],
  ])('does not release a message that %s', async (_, act) => {
    const client = new ScriptedClient([message('a')])
    const driver = new RecordingDriver(async () => {
      phone.stop.abort()
      return await act()
    })
    const phone = startPhone(client, driver)
    await phone.done
    expect(client.of('release')).toEqual([])
    expect(client.of('success').length + client.of('failure').length).toBe(1)
  })

  it('ends even if the relay is unreachable', async () => {
    const client = new ScriptedClient([message('a')])
    client.takesBack = async () => {
      throw unreachable
    }
    const phone = startPhone(client, new RecordingDriver(failWithTrouble), { once: true })
    expect(await phone.done).toMatchObject({ trouble: 'no modem' })
    expect(phone.names()).not.toContain('returned')
  })

  it('sends one release if another phone has the message', async () => {
    const client = new ScriptedClient([message('a')])
    client.takesBack = async () => {
      throw new RelayError('invalid_state', 'Another phone holds the message.')
    }
    const phone = startPhone(client, new RecordingDriver(failWithTrouble), { once: true })
    await phone.done
    expect(client.of('release')).toHaveLength(1)
  })
})

it('the held message is released when quiet hours begin', async () => {
  const begin = Date.UTC(2026, 0, 1, 21, 59, 59)
  const quiet = createQuietHours(['22:00-23:00'], 'UTC')
  const client = new ScriptedClient([message('a')])
  const phone = startPhone(client, new RecordingDriver(failWithTrouble), {
    quiet,
    clock: new FakeClock({ auto: true, start: begin }),
  })
  await phone.done
  const { names, events } = phone
  expect(names().slice(0, 5)).toEqual(['ready', 'took', 'trouble', 'quiet', 'returned'])
  expect(events[4]).toMatchObject({ event: 'returned', id: 'a' })
})

it('the held message is released when the connection of the driver fails', async () => {
  const world = await setUp()
  const modem = new ScriptedModem()
  const driver = createDriver('modem', { device: await serveModem(modem) })
  onTestFinished(async () => await driver[Symbol.asyncDispose]())
  const stop = new AbortController()
  const names: string[] = []
  const done = runPhone({
    ...{ driver, stop: stop.signal, wait: 1 },
    client: clientWith(world.url, world.account, 'app_key'),
    clock: createFastClock(20),
    onEvent: ({ event }) => names.push(event),
  })
  await expect.poll(() => names).toContain('idle')
  const away = { answers: { 'AT+CPIN?': ['+CME ERROR: 10'], 'AT+CMGS=18': ['+CMS ERROR: 310'] } }
  modem.setScript(away)
  const { id } = await world.send()
  await expect.poll(() => names).toContain('trouble')
  modem.hangUp()
  await expect.poll(() => names).toContain('returned')
  const other = world.phone(new RecordingDriver(), { once: true })
  expect(await other.done).toMatchObject({ sent: 1 })
  modem.setScript({})
  await expect.poll(() => names).toContain('recovered')
  stop.abort()
  expect(await done).toMatchObject({ handled: 0 })
  expect((await world.client.messages.get(id)).status).toBe('S')
})
