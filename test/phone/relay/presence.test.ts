import { describe, expect, it } from 'vitest'
import { RelayError } from '../../../src/index.js'
import { type Driver, DriverError } from '../../../src/phone/driver-port/driver.js'
import type { PhoneEvent } from '../../../src/phone/events/phone-events.js'
import { createQuietHours } from '../../../src/phone/quiet-hours/quiet-hours.js'
import { openRateLimiter } from '../../../src/phone/rate-limit/open-rate-limiter.js'
import { parseRate } from '../../../src/phone/rate-limit/parts-rate.js'
import { type RunPhoneOptions, runPhone } from '../../../src/phone/run-phone.js'
import { waitForAbort } from '../../../src/util/async/abort.js'
import { FakeClock } from '../../util/async/fake-clock.js'
import { RecordingDriver, unreachable } from '../phone-rig.js'
import { message, ScriptedClient, untilAborted } from '../scripted-client.js'

const minute = 60_000

/** A clock that starts at this UTC time of 20 November 2026, and quiet hours from 22 to 7. */
function startAt(time: string) {
  const clock = new FakeClock({ auto: true, start: Date.parse(`2026-11-20T${time}Z`) })
  const at = () => new Date(clock.now()).toISOString().slice(8, 19)
  const options = { quiet: createQuietHours(['22:00-07:00'], 'UTC'), clock }
  return { clock, at, options }
}

type Start = Partial<RunPhoneOptions> & Pick<RunPhoneOptions, 'driver'>

/** Runs a phone until the script of its client ends. */
async function runToEnd(client: ScriptedClient, options: Start) {
  const stop = new AbortController()
  const events: PhoneEvent[] = []
  client.atEnd = () => stop.abort()
  const onEvent = (event: PhoneEvent) => events.push(event)
  const result = await runPhone({ ...{ client, onEvent, stop: stop.signal }, ...options })
  return { result, events, names: () => events.map(({ event }) => event) }
}

/** Records the time of each presence report, and runs `then`. */
function recordReports(client: ScriptedClient, at: () => string, then = async () => {}) {
  const reports: string[] = []
  client.hears = async () => {
    reports.push(at())
    await then()
  }
  return reports
}

describe('a phone in quiet hours', () => {
  it('reports their end when they begin, and its presence every two minutes', async () => {
    const { at, options } = startAt('21:59:58')
    const wait = async () => {
      await options.clock.sleep(2000)
      return undefined
    }
    const client = new ScriptedClient([undefined, wait, message('a')])
    const reports = recordReports(client, at)
    const { result, names } = await runToEnd(client, { ...options, driver: new RecordingDriver() })
    expect(result).toMatchObject({ sent: 1 })
    expect(reports.slice(0, 3)).toEqual(['20T22:00:00', '20T22:02:00', '20T22:04:00'])
    const quiet = client.of('presence').filter(each => each.quiet_until === '2026-11-21 07:00:00')
    expect(quiet).toHaveLength((9 * 60) / 2)
    expect(names()).toEqual(['ready', 'idle', 'quiet', 'took', 'sent', 'idle', 'stopping'])
  })

  it('reports their end when it starts', async () => {
    const { at, options } = startAt('06:59:00')
    const client = new ScriptedClient([message('a')])
    const reports = recordReports(client, at)
    await runToEnd(client, { ...options, driver: new RecordingDriver() })
    expect(reports).toEqual(['20T06:59:00'])
  })

  it('with several workers reports once', async () => {
    const { at, options } = startAt('06:50:30')
    const client = new ScriptedClient([message('a')])
    const reports = recordReports(client, at)
    await runToEnd(client, { ...options, driver: new RecordingDriver(), concurrency: 3 })
    const minutes = reports.map(time => time.slice(3))
    expect(minutes).toEqual(['06:50:30', '06:52:30', '06:54:30', '06:56:30', '06:58:30'])
  })

  it('with once reports nothing', async () => {
    const { options } = startAt('23:15:00')
    const client = new ScriptedClient([message('a')])
    await runToEnd(client, { ...options, driver: new RecordingDriver(), once: true })
    expect(client.calls).toEqual([])
  })

  it.each([
    ['takes no such thing', new RelayError('not_a_message', 'There is no message queue.'), 2],
    ['forbids it', new RelayError('insufficient_scope', 'No.'), 2],
    ['cannot be reached', unreachable, 0.5],
    ['asks for rest', new RelayError('too_many_requests', 'No.', { retryAfter: 240 }), 4],
  ])('goes on as ever where its relay %s', async (_, error, minutes) => {
    const { clock, at, options } = startAt('03:59:00')
    const client = new ScriptedClient([message('a')])
    const times: number[] = []
    recordReports(client, at, async () => {
      times.push(clock.monotonic())
      throw error
    })
    const { result, names } = await runToEnd(client, { ...options, driver: new RecordingDriver() })
    expect(result).toMatchObject({ sent: 1, unreported: 0 })
    expect(names()).toEqual(['quiet', 'ready', 'took', 'sent', 'idle', 'stopping'])
    expect(times.slice(0, 3)).toEqual([0, minutes * minute, 2 * minutes * minute])
    expect(times).toHaveLength(Math.floor(181 / minutes) + (181 % minutes === 0 ? 0 : 1))
  })

  it('stops at once, even if the relay does not answer', async () => {
    const { options } = startAt('23:15:00')
    const client = new ScriptedClient([])
    const stop = new AbortController()
    client.hears = async given => {
      stop.abort()
      await untilAborted(given)
    }
    const driver = new RecordingDriver()
    const done = runPhone({ ...options, client, driver, stop: stop.signal })
    expect(await done).toMatchObject({ handled: 0 })
    expect(client.of('next')).toEqual([])
  })
})

describe('a phone that sends no NEXT', () => {
  it('because its driver is down reports its presence', async () => {
    const { clock, at, options } = startAt('12:00:00')
    const client = new ScriptedClient([message('a')])
    const reports = recordReports(client, at)
    const run = async (well: () => void, signal: AbortSignal) => {
      if (clock.monotonic() < 7 * minute) throw new DriverError('trouble', 'no modem')
      well()
      await waitForAbort(signal)
    }
    const watches = [{ name: 'w', isRequiredToSend: true, run }]
    const driver: Driver = Object.assign(new RecordingDriver(), { watches })
    const { result } = await runToEnd(client, { ...options, driver })
    expect(result).toMatchObject({ sent: 1 })
    expect(reports).toEqual(['20T12:02:00', '20T12:04:00', '20T12:06:00'])
    expect(client.of('presence')[0]).toEqual({ call: 'presence' })
  })

  it('because its rate is used up reports its presence, with the end of quiet hours', async () => {
    const { at, clock, options } = startAt('21:54:00')
    const client = new ScriptedClient([message('a'), message('b')])
    const reports = recordReports(client, at)
    const paced = { clock, random: () => 0.5 }
    await using limiter = await openRateLimiter([parseRate('4/h')], paced)
    const { result } = await runToEnd(client, {
      ...options,
      driver: new RecordingDriver(),
      rateLimiter: limiter,
    })
    expect(result).toMatchObject({ sent: 2 })
    expect(reports.slice(0, 4)).toEqual([
      '20T21:56:00',
      '20T21:58:00',
      '20T22:00:00',
      '20T22:02:00',
    ])
    const [before, , after] = client.of('presence')
    expect([before?.quiet_until, after?.quiet_until]).toEqual([undefined, '2026-11-21 07:00:00'])
  })

  it('because its driver is sending reports nothing', async () => {
    const { clock, options } = startAt('12:00:00')
    const driver = new RecordingDriver(async () => {
      await clock.sleep(20 * minute)
      return {}
    })
    const client = new ScriptedClient([message('a')])
    const { result } = await runToEnd(client, { ...options, driver })
    expect(result).toMatchObject({ sent: 1 })
    expect(client.of('presence')).toEqual([])
  })

  it('because the driver asked for a long wait reports its presence', async () => {
    const { options } = startAt('12:00:00')
    const driver = new RecordingDriver(() => {
      throw new DriverError('trouble', 'busy', { wait: 5 * minute })
    })
    // Claimed once; then NEXT renews the lease every half minute.
    const client = new ScriptedClient([message('a')])
    const nextBatch = client.messages.nextBatch
    let asked = 0
    // The second NEXT ends before the wait does, and no other follows.
    client.messages.nextBatch = async options => {
      asked += 1
      return asked === 2 ? undefined : await nextBatch(options)
    }
    await runToEnd(client, { ...options, driver })
    expect(client.of('presence')).toHaveLength(2)
  })
})

describe('a phone that sends NEXT', () => {
  it('reports nothing', async () => {
    const { clock, options } = startAt('12:00:00')
    const waitAndReturn = async () => {
      await clock.sleep(25_000)
      return undefined
    }
    const client = new ScriptedClient([
      undefined,
      ...Array.from({ length: 60 }, () => waitAndReturn),
    ])
    await runToEnd(client, { ...options, driver: new RecordingDriver() })
    expect(client.of('next').length).toBeGreaterThan(60)
    expect(client.of('presence')).toEqual([])
  })

  it('within two minutes, at a limited rate, reports nothing', async () => {
    const { clock, options } = startAt('12:00:00')
    const client = new ScriptedClient(['a', 'b', 'c', 'd', 'e'].map(id => message(id)))
    const paced = { clock, random: () => 0.5 }
    await using limiter = await openRateLimiter([parseRate('36/h')], paced)
    const { result } = await runToEnd(client, {
      ...options,
      driver: new RecordingDriver(),
      rateLimiter: limiter,
    })
    expect(result).toMatchObject({ sent: 5 })
    expect(clock.monotonic()).toBeGreaterThan(2 * minute)
    expect(client.of('presence')).toEqual([])
  })

  it('with once reports nothing while its driver opens', async () => {
    const { clock, options } = startAt('12:00:00')
    const run = async (well: () => void, signal: AbortSignal) => {
      await clock.sleep(5 * minute, signal)
      well()
      await waitForAbort(signal)
    }
    const watches = [{ name: 'w', isRequiredToSend: true, run }]
    const driver: Driver = Object.assign(new RecordingDriver(), { watches })
    const client = new ScriptedClient([message('a')])
    const { result } = await runToEnd(client, { ...options, driver, once: true })
    expect(result).toMatchObject({ sent: 1 })
    expect(client.of('presence')).toEqual([])
  })
})
