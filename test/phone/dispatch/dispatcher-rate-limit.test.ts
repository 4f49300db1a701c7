import { describe, expect, it } from 'vitest'
import { DriverError } from '../../../src/phone/driver-port/driver.js'
import { runPhone } from '../../../src/phone/run-phone.js'
import { createStoppingClock, RecordingDriver, startPhone } from '../phone-rig.js'
import { createLimiter } from '../rate-limit/rate-limiter-rig.js'
import { message, ScriptedClient } from '../scripted-client.js'

/** Starts a phone with limits that sends these texts; records the time of each NEXT. */
function startLimitedPhone(
  rates: readonly string[],
  texts: readonly string[],
  driver: RecordingDriver,
) {
  const { limiter, clock } = createLimiter(rates)
  const fetchTimes: number[] = []
  const next = texts.map((text, index) => async () => {
    fetchTimes.push(clock.monotonic())
    return message(`m${index}`, { message: text })
  })
  const client = new ScriptedClient(next)
  const options = { clock, rateLimiter: limiter }
  return { fetchTimes, client, ...startPhone(client, driver, options) }
}

const long = 'x'.repeat(400)

describe('a worker with a rate limit', () => {
  it('waits before the next NEXT by the parts of the last text', async () => {
    const driver = new RecordingDriver(
      () => ({}),
      () => ({ parts: 5 }),
    )
    const phone = startLimitedPhone(['6/min'], [long, 'b', 'c'], driver)
    await phone.done
    expect(phone.fetchTimes).toEqual([0, 30_000, 80_000])
    expect(phone.events).toContainEqual({ event: 'paced', wait: 30_000, limit: '6/min' })
    expect(phone.names()).toEqual([
      ...['ready', 'took', 'paced', 'sent', 'took', 'paced'],
      ...['sent', 'took', 'paced', 'sent', 'stopping'],
    ])
  })

  it('counts a failure as one part and an unknown result as all parts', async () => {
    const driver = new RecordingDriver(
      () => Promise.reject(new DriverError('retry', 'no')),
      () => Promise.reject(new DriverError('unknown', 'no answer')),
    )
    const phone = startLimitedPhone(['6/min'], [long, long, 'c'], driver)
    await phone.done
    expect(phone.fetchTimes).toEqual([0, 10_000, 40_000])
  })

  it('does not count test numbers or driver trouble', async () => {
    const { limiter, clock } = createLimiter(['1/h'])
    const client = new ScriptedClient([
      message('a', { destination: '+12025551212' }),
      message('b', { destination: '+12025551213' }),
      message('c'),
    ])
    const driver = new RecordingDriver(() =>
      Promise.reject(new DriverError('trouble', 'no network')),
    )
    const options = { clock, rateLimiter: limiter }
    await startPhone(client, driver, options).done
    expect(driver.sent.map(each => each.id)).toEqual(['c', 'c'])
    expect(clock.slept[0]).toBe(1000)
  })

  it('sends a held message without a wait', async () => {
    const { limiter, clock } = createLimiter(['1/h'])
    const client = new ScriptedClient([message('a')])
    const driver = new RecordingDriver(async () => {
      const other = limiter.createReservation()
      other.start(1)
      other.finish(1)
      throw new DriverError('trouble', 'no network')
    })
    const options = { clock, rateLimiter: limiter }
    const phone = startPhone(client, driver, options)
    expect(await phone.done).toMatchObject({ sent: 1 })
    expect(phone.names().slice(0, 5)).toEqual(['ready', 'took', 'paced', 'trouble', 'recovered'])
  })

  it('with once ends if the rate is used up', async () => {
    const { limiter, clock, send } = createLimiter(['1/h'])
    await send(limiter.createReservation())
    const client = new ScriptedClient([message('a')])
    const options = {
      clock,
      rateLimiter: limiter,
      once: true,
    }
    const phone = startPhone(client, new RecordingDriver(), options)
    expect(await phone.done).toMatchObject({ handled: 0 })
    expect(client.calls).toEqual([])
    expect(phone.events).toEqual([{ event: 'paced', wait: 3_600_000, limit: '1/h' }])
  })

  it('ends at once when it is stopped during a wait', async () => {
    const phone = startLimitedPhone(['1/d'], ['a', 'b'], new RecordingDriver())
    const { limiter } = createLimiter(['1/d'], {
      clock: createStoppingClock(() => waiter.stop.abort()),
    })
    await phone.done
    const client = new ScriptedClient([message('a'), message('b')])
    const waiter = startPhone(client, new RecordingDriver(), {
      rateLimiter: limiter,
    })
    expect(await waiter.done).toMatchObject({ sent: 1 })
    expect(client.of('next')).toHaveLength(1)
  })
})

it('several workers share one limit', async () => {
  const { limiter, clock } = createLimiter(['6/min'])
  const stop = new AbortController()
  const texts = Array.from({ length: 6 }, (_, index) => message(`m${index}`))
  const fetchTimes: number[] = []
  const client = new ScriptedClient(
    texts.map(each => async () => {
      fetchTimes.push(clock.monotonic())
      return each
    }),
  )
  client.atEnd = () => stop.abort()
  const result = await runPhone({
    ...{ rateLimiter: limiter, concurrency: 3, stop: stop.signal },
    clock,
    driver: new RecordingDriver(),
    client,
  })
  expect(result).toMatchObject({ sent: 6 })
  expect(fetchTimes).toEqual([0, 10_000, 20_000, 30_000, 40_000, 50_000])
})
