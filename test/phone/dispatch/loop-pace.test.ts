import { describe, expect, it } from 'vitest'
import { DriverError } from '../../../src/phone/driver-port/driver.js'
import { runPhone } from '../../../src/phone/run-phone.js'
import { createStoppingClock, RecordingDriver, startPhone } from '../phone-rig.js'
import { createPace } from '../rate-limit/rate-limiter-rig.js'
import { message, ScriptedClient } from '../scripted-client.js'

/** A phone with limits that sends these texts, and the time of each NEXT. */
function pacedPhone(rates: readonly string[], texts: readonly string[], driver: RecordingDriver) {
  const { pace, clock } = createPace(rates)
  const asked: number[] = []
  const given = texts.map((text, index) => async () => {
    asked.push(clock.monotonic())
    return message(`m${index}`, { message: text })
  })
  const client = new ScriptedClient(given)
  const world = { clock, reservation: pace.createReservation() }
  return { asked, client, ...startPhone(client, driver, world) }
}

const long = 'x'.repeat(400)

describe('a loop with a pace', () => {
  it('waits before it asks for the next message, by the parts of the last', async () => {
    const driver = new RecordingDriver(
      () => ({}),
      () => ({ parts: 5 }),
    )
    const phone = pacedPhone(['6/min'], [long, 'b', 'c'], driver)
    await phone.done
    expect(phone.asked).toEqual([0, 30_000, 80_000])
    expect(phone.events).toContainEqual({ event: 'paced', wait: 30_000, limit: '6/min' })
    expect(phone.names()).toEqual([
      ...['ready', 'took', 'sent', 'paced', 'took', 'sent'],
      ...['paced', 'took', 'sent', 'paced', 'stopping'],
    ])
  })

  it('counts a failure as a part, and what is not known as all of them', async () => {
    const driver = new RecordingDriver(
      () => Promise.reject(new DriverError('retry', 'no')),
      () => Promise.reject(new DriverError('unknown', 'who knows')),
    )
    const phone = pacedPhone(['6/min'], [long, long, 'c'], driver)
    await phone.done
    expect(phone.asked).toEqual([0, 10_000, 40_000])
  })

  it('does not count test numbers, nor what trouble kept from the network', async () => {
    const { pace, clock } = createPace(['1/h'])
    const client = new ScriptedClient([
      message('a', { destination: '+12025551212' }),
      message('b', { destination: '+12025551213' }),
      message('c'),
      message('c'),
    ])
    const driver = new RecordingDriver(() =>
      Promise.reject(new DriverError('trouble', 'no network')),
    )
    const world = { clock, reservation: pace.createReservation() }
    await startPhone(client, driver, world).done
    expect(driver.sent.map(each => each.id)).toEqual(['c', 'c'])
    expect(clock.slept[0]).toBe(1000)
    expect(clock.slept[1]).toBe(3_600_000)
  })

  it('asks for a message that trouble left in hand without waiting', async () => {
    const { pace, clock, waiting } = createPace(['1/h'])
    const client = new ScriptedClient([message('a'), message('a')])
    const driver = new RecordingDriver(async () => {
      const other = pace.createReservation()
      await other.reserve({ ...waiting, immediate: true })
      other.start(1)
      other.finish(1)
      throw new DriverError('trouble', 'no network')
    })
    const world = { clock, reservation: pace.createReservation() }
    const phone = startPhone(client, driver, world)
    expect(await phone.done).toMatchObject({ sent: 1 })
    expect(phone.names().slice(0, 5)).toEqual(['ready', 'took', 'trouble', 'recovered', 'sent'])
  })

  it('ends in once mode when nothing may be sent now', async () => {
    const { pace, clock, send } = createPace(['1/h'])
    await send(pace.createReservation())
    const client = new ScriptedClient([message('a')])
    const world = {
      clock,
      reservation: pace.createReservation(),
      once: true,
    }
    const phone = startPhone(client, new RecordingDriver(), world)
    expect(await phone.done).toMatchObject({ handled: 0 })
    expect(client.calls).toEqual([])
    expect(phone.events).toEqual([{ event: 'paced', wait: 3_600_000, limit: '1/h' }])
  })

  it('ends at once when it is stopped in a wait', async () => {
    const phone = pacedPhone(['1/d'], ['a', 'b'], new RecordingDriver())
    const { pace } = createPace(['1/d'], {
      clock: createStoppingClock(() => waiter.stop.abort()),
    })
    await phone.done
    const client = new ScriptedClient([message('a'), message('b')])
    const waiter = startPhone(client, new RecordingDriver(), {
      reservation: pace.createReservation(),
    })
    expect(await waiter.done).toMatchObject({ sent: 1 })
    expect(client.of('next')).toHaveLength(1)
  })
})

it('several loops keep one pace', async () => {
  const { pace, clock } = createPace(['6/min'])
  const stop = new AbortController()
  const texts = Array.from({ length: 6 }, (_, index) => message(`m${index}`))
  const asked: number[] = []
  const client = new ScriptedClient(
    texts.map(each => async () => {
      asked.push(clock.monotonic())
      return each
    }),
  )
  client.atEnd = () => stop.abort()
  const result = await runPhone({
    ...{ rateLimiter: pace, concurrency: 3, stop: stop.signal },
    clock,
    driver: new RecordingDriver(),
    createClient: async () => client,
  })
  expect(result).toMatchObject({ sent: 6 })
  expect(asked).toEqual([0, 10_000, 20_000, 30_000, 40_000, 50_000])
})
