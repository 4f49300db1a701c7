import { describe, expect, it } from 'vitest'
import { DriverError } from '../../../src/phone/driver-port/driver.js'
import { createQuietHours } from '../../../src/phone/quiet-hours/quiet-hours.js'
import { runPhone } from '../../../src/phone/run-phone.js'
import { FakeClock } from '../../util/async/fake-clock.js'
import { createStoppingClock, RecordingDriver, startPhone, unreachable } from '../phone-rig.js'
import { message, ScriptedClient } from '../scripted-client.js'

/** A clock that starts at this UTC time of 20 November 2026, and quiet hours from 22 to 7. */
function startAt(time: string) {
  const clock = new FakeClock({ auto: true, start: Date.parse(`2026-11-20T${time}Z`) })
  const now = () => new Date(clock.now()).toISOString().slice(8, 19)
  const options = { quiet: createQuietHours(['22:00-07:00'], 'UTC'), clock }
  return { clock, now, options }
}

describe('in quiet hours', () => {
  it('nothing is fetched, and their end is reported once', async () => {
    const { now, options } = startAt('23:15:00')
    const fetchTimes: string[] = []
    const client = new ScriptedClient([
      async () => {
        fetchTimes.push(now())
        return message('a')
      },
    ])
    const phone = startPhone(client, new RecordingDriver(), options)
    expect(await phone.done).toMatchObject({ sent: 1 })
    expect(fetchTimes).toEqual(['21T07:00:00'])
    expect(phone.events[0]).toEqual({ event: 'quiet', until: '2026-11-21T07:00:00.000Z' })
    expect(phone.names()).toEqual(['quiet', 'ready', 'took', 'sent', 'idle', 'stopping'])
  })

  it('a stop ends the wait at once', async () => {
    const { clock, options } = startAt('23:15:00')
    const client = new ScriptedClient([message('a')])
    const phone = startPhone(client, new RecordingDriver(), {
      ...options,
      clock: createStoppingClock(() => phone.stop.abort(), clock),
    })
    expect(await phone.done).toMatchObject({ handled: 0 })
    expect(client.calls).toEqual([])
  })

  it('a phone with once ends', async () => {
    const { clock, options } = startAt('23:15:00')
    const client = new ScriptedClient([message('a')])
    const phone = startPhone(client, new RecordingDriver(), { ...options, once: true })
    expect(await phone.done).toMatchObject({ handled: 0 })
    expect([client.calls, clock.slept]).toEqual([[], []])
    expect(phone.names()).toEqual(['quiet'])
  })

  it('several workers report them once', async () => {
    const { options } = startAt('23:15:00')
    const stop = new AbortController()
    const client = new ScriptedClient([message('a')])
    client.atEnd = () => stop.abort()
    const names: string[] = []
    const result = await runPhone({
      ...{ ...options, concurrency: 3, stop: stop.signal, driver: new RecordingDriver() },
      client,
      onEvent: ({ event }) => names.push(event),
    })
    expect(result).toMatchObject({ sent: 1 })
    expect(names.filter(each => each === 'quiet')).toHaveLength(1)
  })
})

describe('when quiet hours begin', () => {
  it('the current message is finished', async () => {
    const { clock, options } = startAt('21:59:59')
    const driver = new RecordingDriver(async () => {
      await clock.sleep(5000)
      return {}
    })
    const phone = startPhone(new ScriptedClient([message('a'), undefined]), driver, options)
    expect(await phone.done).toMatchObject({ sent: 1 })
    expect(phone.names()).toEqual(['ready', 'took', 'sent', 'idle', 'quiet', 'stopping'])
  })

  it('no NEXT waits beyond their start', async () => {
    const { clock, options } = startAt('21:59:30')
    const slow = async () => {
      await clock.sleep(13_000)
      return undefined
    }
    const client = new ScriptedClient([undefined, slow, slow, slow])
    const phone = startPhone(client, new RecordingDriver(), options)
    await phone.done
    expect(client.of('next').map(each => each.wait)).toEqual([0, 25, 17, 4, 25, 0])
    expect(phone.names()).toEqual(['ready', 'idle', 'quiet', 'stopping'])
  })

  it('the last second before them has one NEXT', async () => {
    const { options } = startAt('21:59:59.400')
    const client = new ScriptedClient([undefined])
    await startPhone(client, new RecordingDriver(), options).done
    expect(client.of('next').map(each => each.wait)).toEqual([0, 25, 0])
  })

  it('a held message stays leased and is sent after them', async () => {
    const { now, options } = startAt('21:59:59')
    const tries: string[] = []
    const driver = new RecordingDriver(
      () => {
        tries.push(now())
        throw new DriverError('trouble', 'no network')
      },
      () => {
        tries.push(now())
        return {}
      },
    )
    const client = new ScriptedClient([message('a')])
    client.takesBack = async () => {
      throw unreachable
    }
    const phone = startPhone(client, driver, options)
    expect(await phone.done).toMatchObject({ sent: 1 })
    expect(tries).toEqual(['20T21:59:59', '21T07:00:00'])
    expect(phone.names().filter(each => each === 'took')).toHaveLength(1)
  })
})
