import { describe, expect, it, onTestFinished } from 'vitest'
import { DriverStatus } from '../../../src/phone/dispatch/driver-status.js'
import { type Driver, DriverError } from '../../../src/phone/driver-port/driver.js'
import { createDriver } from '../../../src/phone/drivers/driver-registry.js'
import { createRoutingDriver } from '../../../src/phone/drivers/routing-driver.js'
import type { PhoneEvent } from '../../../src/phone/events/phone-events.js'
import { type RunPhoneOptions, runPhone } from '../../../src/phone/run-phone.js'
import { createClock } from '../../../src/util/async/clock.js'
import { createFastClock } from '../../util/async/fast-clock.js'
import { RecordingDriver } from '../phone-rig.js'
import { message, ScriptedClient } from '../scripted-client.js'
import { ScriptedModem } from './modem/scripted-modem.js'
import { serveModem } from './modem/serve-modem.js'
import { createSmppDriver, Smsc } from './smpp/smsc.js'

const hello = '07917283010010F5040BC87238880900F10000993092516195800AE8329BFD4697D9EC37'
const noSim = { answers: { 'AT+CPIN?': ['+CME ERROR: 10'] } }

/** A phone whose waits are a twentieth as long. */
function start(driver: Driver, client: ScriptedClient, options: Partial<RunPhoneOptions> = {}) {
  const stop = new AbortController()
  const events: PhoneEvent[] = []
  const done = runPhone({
    ...{ driver, stop: stop.signal, createClient: async () => client },
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
    told: (name: string) => names().filter(n => n === name).length,
  }
}

async function withModem(script: ConstructorParameters<typeof ScriptedModem>[0] = {}) {
  const modem = new ScriptedModem(script)
  return { modem, driver: createDriver('modem', { device: await serveModem(modem) }) }
}

describe('a phone with nothing to send', () => {
  it('hears what a modem has, gets, and gets after its line was lost', async () => {
    const { modem, driver } = await withModem()
    modem.stored.set(1, hello)
    const phone = start(driver, new ScriptedClient([]))
    await expect.poll(() => phone.told('received')).toBe(1)
    modem.stored.set(2, hello)
    modem.say('+CMTI: "SM",2')
    await expect.poll(() => phone.told('received')).toBe(2)
    modem.hangUp()
    await expect.poll(() => phone.told('recovered')).toBe(1)
    modem.say('+CMT: ,28', hello)
    await expect.poll(() => phone.told('received')).toBe(3)
    expect(phone.told('trouble')).toBe(1)
    expect(await phone.finish()).toEqual({
      ...{ handled: 0, sent: 0, failed: 0, unknown: 0, unreported: 0 },
    })
  })

  it('is bound to the SMSC, and again after the line was lost', async () => {
    const smsc = await Smsc.start()
    const phone = start(createSmppDriver(smsc), new ScriptedClient([]))
    const deliver = async () =>
      await smsc.deliver({ source_addr: '1', data_coding: 0, short_message: Buffer.from('Hi') })
    await expect.poll(() => smsc.sessions.size).toBe(1)
    await deliver()
    await expect.poll(() => phone.told('received')).toBe(1)
    for (const session of smsc.sessions) session.close()
    await expect.poll(() => phone.told('recovered')).toBe(1)
    await deliver()
    await expect.poll(() => phone.told('received')).toBe(2)
    expect(phone.told('trouble')).toBe(1)
  })
})

describe('a phone whose line is down', () => {
  it('takes no messages until it is up, and says so once', async () => {
    const { modem, driver } = await withModem(noSim)
    const client = new ScriptedClient([message('a')])
    const phone = start(driver, client)
    const tries = () => modem.commands.filter(each => each === 'AT+CPIN?').length
    await expect.poll(tries, { timeout: 5000 }).toBeGreaterThan(3)
    expect([client.calls, phone.names()]).toEqual([[], ['trouble']])
    modem.setScript({})
    await expect.poll(() => phone.told('sent'), { timeout: 5000 }).toBe(1)
    expect(phone.names().slice(0, 4)).toEqual(['trouble', 'recovered', 'ready', 'took'])
    expect(modem.sent).toHaveLength(1)
  })

  it('with once ends, and says what is wrong', async () => {
    const { driver } = await withModem(noSim)
    const client = new ScriptedClient([message('a')])
    const result = await start(driver, client, { once: true }).done
    expect(client.calls).toEqual([])
    expect(result).toMatchObject({
      handled: 0,
      trouble: 'The modem answered +CME ERROR: 10 (no SIM).',
    })
  })

  it('stops at once', async () => {
    const { driver } = await withModem(noSim)
    const phone = start(driver, new ScriptedClient([message('a')]))
    await expect.poll(() => phone.told('trouble')).toBe(1)
    expect(await phone.finish()).toMatchObject({ handled: 0 })
  })

  it.each([
    ['another driver with a line that is up', async () => (await withModem()).driver],
    ['another driver without a line', async () => new RecordingDriver()],
  ])('goes on by %s', async (_, other) => {
    const { driver } = await withModem(noSim)
    const drivers = new Map<string, Driver>([
      ['a', driver],
      ['b', await other()],
    ])
    const routed = createRoutingDriver(drivers, [{ prefix: '', drivers: ['a', 'b'] }])
    const phone = start(routed, new ScriptedClient([message('m')]))
    await expect.poll(() => phone.told('sent'), { timeout: 5000 }).toBe(1)
    const trouble = phone.events.find(each => each.event === 'trouble')
    expect(trouble).toMatchObject({ error: 'a: The modem answered +CME ERROR: 10 (no SIM).' })
  })
})

describe('a watch', () => {
  it('that ends is begun anew, after the time its trouble asks for at least', async () => {
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
    expect(phone.told('trouble')).toBe(1)
  })
})

describe('what is known of the line', () => {
  const never = new AbortController().signal

  it('is nothing at first, and then one way that is up is enough', async () => {
    const line = new DriverStatus()
    expect(await line.waitUntilReady(never, false)).toBe(true)
    line.setState('a', 'opening')
    line.setState('b', 'down', 'no modem')
    let ready: boolean | undefined
    const waiting = line.waitUntilReady(never, false).then(value => {
      ready = value
    })
    expect([line.isDown, line.trouble, ready]).toEqual([false, undefined, undefined])
    line.setState('a', 'up')
    await waiting
    expect(ready).toBe(true)
  })

  it('lets nobody wait in vain', async () => {
    const line = new DriverStatus()
    line.setState('a', 'down', 'no modem')
    const stop = new AbortController()
    const waiting = line.waitUntilReady(stop.signal, false)
    stop.abort()
    expect([await waiting, await line.waitUntilReady(never, true)]).toEqual([false, false])
    expect(line.trouble).toBe('no modem')
  })
})
