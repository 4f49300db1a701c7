import { describe, expect, it, onTestFinished } from 'vitest'
import { type Driver, DriverError } from '../../../src/phone/driver-port/driver.js'
import { DriverStatus } from '../../../src/phone/driver-state/driver-status.js'
import { createDriver } from '../../../src/phone/drivers/driver-registry.js'
import { createRoutingDriver } from '../../../src/phone/drivers/routing-driver.js'
import type { PhoneEvent } from '../../../src/phone/events/phone-events.js'
import { type RunPhoneOptions, runPhone } from '../../../src/phone/run-phone.js'
import { createClock } from '../../../src/util/async/clock.js'
import { createFastClock } from '../../util/async/fast-clock.js'
import { ScriptedModem } from '../drivers/modem/scripted-modem.js'
import { serveModem } from '../drivers/modem/serve-modem.js'
import { createSmppDriver, Smsc } from '../drivers/smpp/smsc.js'
import { RecordingDriver } from '../phone-rig.js'
import { message, ScriptedClient } from '../scripted-client.js'

const hello = '07917283010010F5040BC87238880900F10000993092516195800AE8329BFD4697D9EC37'
/** The same text, some seconds later. */
const later = (digit: number) => hello.replace('5161958', `51${digit}1958`)
const noSim = { answers: { 'AT+CPIN?': ['+CME ERROR: 10'] } }

/** Starts a phone whose waits take a twentieth of their time. */
function start(driver: Driver, client: ScriptedClient, options: Partial<RunPhoneOptions> = {}) {
  const stop = new AbortController()
  const events: PhoneEvent[] = []
  const done = runPhone({
    ...{ driver, stop: stop.signal, client: client },
    clock: createFastClock(20),
    onEvent: event => events.push(event),
    ...options,
  })
  const finish = async () => {
    stop.abort()
    return await done
  }
  onTestFinished(async () => {
    await finish()
    await driver[Symbol.asyncDispose]()
  })
  const names = () => events.map(each => each.event)
  return {
    events,
    names,
    done,
    finish,
    count: (name: string) => names().filter(n => n === name).length,
  }
}

async function withModem(script: ConstructorParameters<typeof ScriptedModem>[0] = {}) {
  const modem = new ScriptedModem(script)
  return { modem, driver: createDriver('modem', { device: await serveModem(modem) }) }
}

describe('a phone with nothing to send', () => {
  it('receives texts from a modem, also after the line was lost', async () => {
    const { modem, driver } = await withModem()
    modem.stored.set(1, hello)
    const phone = start(driver, new ScriptedClient([]))
    await expect.poll(() => phone.count('received')).toBe(1)
    modem.stored.set(2, later(7))
    modem.say('+CMTI: "SM",2')
    await expect.poll(() => phone.count('received')).toBe(2)
    modem.hangUp()
    await expect.poll(() => phone.count('recovered')).toBe(1)
    modem.say('+CMT: ,28', later(8))
    await expect.poll(() => phone.count('received')).toBe(3)
    expect(phone.count('trouble')).toBe(1)
    expect(await phone.finish()).toEqual({
      ...{ handled: 0, sent: 0, failed: 0, unknown: 0, unreported: 0 },
    })
  })

  it('is bound to the SMSC, also after the connection was lost', async () => {
    const smsc = await Smsc.start()
    const phone = start(createSmppDriver(smsc), new ScriptedClient([]))
    const deliver = async () =>
      await smsc.deliver({ source_addr: '1', data_coding: 0, short_message: Buffer.from('Hi') })
    await expect.poll(() => smsc.sessions.size).toBe(1)
    await deliver()
    await expect.poll(() => phone.count('received')).toBe(1)
    for (const session of smsc.sessions) session.close()
    await expect.poll(() => phone.count('recovered')).toBe(1)
    await deliver()
    await expect.poll(() => phone.count('received')).toBe(2)
    expect(phone.count('trouble')).toBe(1)
  })
})

describe('a phone whose driver is down', () => {
  it('fetches no messages until it is up, and reports it once', async () => {
    const { modem, driver } = await withModem(noSim)
    const client = new ScriptedClient([message('a')])
    const phone = start(driver, client)
    const tries = () => modem.commands.filter(each => each === 'AT+CPIN?').length
    await expect.poll(tries).toBeGreaterThan(3)
    expect([client.calls, phone.names()]).toEqual([[], ['trouble']])
    modem.setScript({})
    await expect.poll(() => phone.count('sent')).toBe(1)
    expect(phone.names().slice(0, 4)).toEqual(['trouble', 'recovered', 'ready', 'took'])
    expect(modem.sent).toHaveLength(1)
  })

  it('with once ends with the trouble', async () => {
    const { driver } = await withModem(noSim)
    const client = new ScriptedClient([message('a')])
    const result = await start(driver, client, { once: true }).done
    expect(client.calls).toEqual([])
    expect(result).toMatchObject({
      handled: 0,
      trouble: expect.stringContaining('+CME ERROR: 10'),
    })
  })

  it('stops at once', async () => {
    const { driver } = await withModem(noSim)
    const phone = start(driver, new ScriptedClient([message('a')]))
    await expect.poll(() => phone.count('trouble')).toBe(1)
    expect(await phone.finish()).toMatchObject({ handled: 0 })
  })

  it.each([
    ['another driver that is connected', async () => (await withModem()).driver],
    ['another driver without a watch', async () => new RecordingDriver()],
  ])('sends with %s', async (_, other) => {
    const { driver } = await withModem(noSim)
    const drivers = new Map<string, Driver>([
      ['a', driver],
      ['b', await other()],
    ])
    const routed = createRoutingDriver(drivers, [{ prefix: '', drivers: ['a', 'b'] }])
    const phone = start(routed, new ScriptedClient([message('m')]))
    await expect.poll(() => phone.count('sent')).toBe(1)
    const trouble = phone.events.find(each => each.event === 'trouble')
    expect(trouble).toMatchObject({ error: expect.stringMatching(/^a: .*CME ERROR: 10/) })
  })
})

describe('a watch', () => {
  it('that fails is run again, after at least the wait of its error', async () => {
    let runs = 0
    const waits: number[] = []
    const clock = createClock()
    const run = async () => {
      runs += 1
      throw new DriverError('trouble', 'busy', { wait: runs === 2 ? 500_000 : 0 })
    }
    const watches = [{ name: 'w', isRequiredToSend: false, run }]
    const driver: Driver = Object.assign(new RecordingDriver(), { watches })
    const phone = start(driver, new ScriptedClient([]), {
      clock: {
        ...clock,
        sleep: async milliseconds => {
          waits.push(milliseconds)
          await clock.sleep(1)
        },
      },
    })
    await expect.poll(() => runs).toBeGreaterThan(3)
    expect(Math.max(...waits)).toBe(500_000)
    expect(phone.count('trouble')).toBe(1)
  })
})

describe('driver status', () => {
  const never = new AbortController().signal

  it('is ready without watches, or when one of them is up', async () => {
    const status = new DriverStatus()
    expect(await status.waitUntilReady(never, false)).toBe(true)
    status.setState('a', 'opening')
    status.setState('b', 'down', 'no modem')
    let ready: boolean | undefined
    const waiting = status.waitUntilReady(never, false).then(value => {
      ready = value
    })
    expect([status.isDown, status.trouble, ready]).toEqual([false, undefined, undefined])
    status.setState('a', 'up')
    await waiting
    expect(ready).toBe(true)
  })

  it('ends a wait at a stop, and with once at the first failure', async () => {
    const status = new DriverStatus()
    status.setState('a', 'down', 'no modem')
    const stop = new AbortController()
    const waiting = status.waitUntilReady(stop.signal, false)
    stop.abort()
    expect([await waiting, await status.waitUntilReady(never, true)]).toEqual([false, false])
    expect(status.trouble).toBe('no modem')
  })
})
