import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { RelayError } from '../../../src/errors.js'
import { DriverError } from '../../../src/phone/driver-port/driver.js'
import { RecordingDriver, startPhone, unreachable } from '../phone-rig.js'
import { message, ScriptedClient, untilAborted } from '../scripted-client.js'

describe('a stop', () => {
  it('ends a long poll at once', async () => {
    const client = new ScriptedClient([undefined, untilAborted])
    const phone = startPhone(client, new RecordingDriver())
    await expect.poll(() => client.calls.length).toBe(2)
    phone.stop.abort()
    expect(await phone.done).toMatchObject({ handled: 0 })
    expect(phone.clock.slept).toEqual([])
  })

  it('limits the last NEXT to two seconds', async () => {
    const client = new ScriptedClient([undefined, untilAborted, untilAborted])
    const phone = startPhone(client, new RecordingDriver())
    await expect.poll(() => client.calls.length).toBe(2)
    phone.stop.abort()
    await phone.done
    expect(phone.clock.slept).toEqual([2000])
  })

  it('finishes sending and reporting the current message', async () => {
    const client = new ScriptedClient([message('a'), message('b')], [unreachable])
    const driver = new RecordingDriver(async (_, signal) => {
      phone.stop.abort()
      expect(signal.aborted).toBe(false)
      return { parts: 2 }
    })
    const phone = startPhone(client, driver)
    expect(await phone.done).toMatchObject({ handled: 1, sent: 1, unreported: 0 })
    expect(client.calls.map(each => each.call)).toEqual(['next', 'success', 'success'])
    expect(phone.events).toContainEqual({ event: 'stopping', id: 'a' })
  })

  it('does not speed up the repeated reports', async () => {
    const away = [unreachable, unreachable, unreachable]
    const driver = new RecordingDriver(() => {
      phone.stop.abort()
      return {}
    })
    const phone = startPhone(new ScriptedClient([message('a')], away), driver)
    expect(await phone.done).toMatchObject({ sent: 1, unreported: 0 })
    expect(phone.clock.slept).toEqual([1000, 2000, 4000])
  })

  it('between messages has no message in its event', async () => {
    const phone = startPhone(new ScriptedClient([message('a')]), new RecordingDriver())
    await phone.done
    expect(phone.events.at(-1)).toEqual({ event: 'stopping' })
  })

  it('leaves no listeners on its signals', async () => {
    const phone = startPhone(new ScriptedClient([message('a')]), new RecordingDriver(), {
      once: true,
    })
    await phone.done
    const { stop, force } = phone
    for (const { signal } of [stop, force]) {
      expect(getEventListeners(signal, 'abort')).toEqual([])
    }
  })

  it('before the start prevents every request', async () => {
    const client = new ScriptedClient([message('a')])
    const phone = startPhone(client, new RecordingDriver(), { stop: AbortSignal.abort() })
    expect(await phone.done).toMatchObject({ handled: 0 })
    expect(client.calls).toEqual([])
  })

  it('ends the wait after driver trouble', async () => {
    const driver = new RecordingDriver(async () => {
      phone.stop.abort()
      throw new DriverError('trouble', 'no modem')
    })
    const phone = startPhone(new ScriptedClient([message('a'), message('a')]), driver)
    expect(await phone.done).toMatchObject({ handled: 0, trouble: 'no modem' })
    expect(phone.clock.slept).toEqual([])
  })
})

describe('a forced stop', () => {
  it('aborts the driver and reports its result', async () => {
    const client = new ScriptedClient([message('a'), message('b')])
    const driver = new RecordingDriver(async (_, signal) => {
      phone.force.abort()
      expect(signal.aborted).toBe(true)
      throw new DriverError('unknown', 'killed')
    })
    const phone = startPhone(client, driver)
    expect(await phone.done).toMatchObject({ handled: 1, unknown: 1 })
    expect(client.of('failure')).toMatchObject([{ outcome: 'unknown', error_message: 'killed' }])
  })

  it('waits five seconds for a driver that ignores it', async () => {
    const client = new ScriptedClient([message('a')])
    const driver = new RecordingDriver(() => {
      phone.force.abort()
      return new Promise(() => {})
    })
    const phone = startPhone(client, driver)
    expect(await phone.done).toMatchObject({ handled: 1, unknown: 1 })
    expect(phone.clock.slept).toEqual([5000])
  })

  it('gives a report one last try', async () => {
    const away = [unreachable, unreachable, unreachable, unreachable]
    const client = new ScriptedClient([message('a')], away)
    const phone = startPhone(client, new RecordingDriver(), {
      onEvent: event => {
        if (event.event === 'offline') phone.force.abort()
        phone.events.push(event)
      },
    })
    expect(await phone.done).toMatchObject({ sent: 1, unreported: 1 })
    expect(client.of('success')).toHaveLength(2)
    expect(phone.events.at(-1)).toMatchObject({ event: 'abandoned', id: 'a', outcome: 'sent' })
  })

  it('waits five seconds for the answer to a report', async () => {
    const client = new ScriptedClient([message('a')], [untilAborted])
    const phone = startPhone(client, new RecordingDriver())
    await expect.poll(() => client.of('success').length).toBe(1)
    phone.force.abort()
    expect(await phone.done).toMatchObject({ sent: 1, unreported: 1 })
    expect(phone.clock.slept).toEqual([5000])
  })

  it('ends a long poll without a last NEXT', async () => {
    const client = new ScriptedClient([undefined, untilAborted, untilAborted])
    const phone = startPhone(client, new RecordingDriver())
    await expect.poll(() => client.calls.length).toBe(2)
    phone.force.abort()
    expect(await phone.done).toMatchObject({ handled: 0 })
    expect(phone.clock.slept).toEqual([])
  })

  it('does not throw if the relay rejects the keys', async () => {
    const refused = new RelayError('invalid_client', 'No.')
    const client = new ScriptedClient([message('a')], [refused])
    const driver = new RecordingDriver(() => {
      phone.force.abort()
      return {}
    })
    const phone = startPhone(client, driver)
    expect(await phone.done).toMatchObject({ sent: 1, unreported: 1 })
  })
})
