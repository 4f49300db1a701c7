import { describe, expect, it } from 'vitest'
import type { MessageFields } from '../../../src/contract/message-schema.js'
import {
  type Driver,
  DriverError,
  type DriverHealth,
} from '../../../src/phone/driver-port/driver.js'
import { DriverStatus } from '../../../src/phone/driver-state/driver-status.js'
import { startPhone } from '../phone-rig.js'
import { message, ScriptedClient } from '../scripted-client.js'

/** A driver that has trouble with some messages, and the messages it got. */
function createTroubledDriver(
  isBad: (id: string) => boolean,
  health?: () => Promise<DriverHealth>,
  wait?: number,
) {
  const sent: string[] = []
  const state = { driver: undefined as unknown as Driver, sent, onSend: () => {} }
  state.driver = {
    name: 'troubled',
    async send({ id }) {
      sent.push(id)
      state.onSend()
      if (isBad(id)) throw new DriverError('trouble', 'no such thing', { ...(wait && { wait }) })
      return {}
    },
    ...(health === undefined ? {} : { health }),
    async [Symbol.asyncDispose]() {},
  }
  return state
}

/** Stops the phone at a number of tries: it keeps a message that it cannot send. */
function stopAfter(
  tries: number,
  state: ReturnType<typeof createTroubledDriver>,
  phone: ReturnType<typeof startPhone>,
): void {
  state.onSend = () => {
    if (state.sent.length >= tries) phone.stop.abort()
  }
}

/** Messages by name and count: `a3b1` is three times a, once b. */
function createMessages(text: string): MessageFields[] {
  return [...text.matchAll(/([a-z])(\d+)/g)].flatMap(([, id = '', times]) =>
    Array.from({ length: Number(times) }, () => message(id)),
  )
}

const only = (bad: string) => (id: string) => id === bad
const ok = async () => ({ ok: true })

describe('one bad message', () => {
  it('fails after five tries if the driver is healthy', async () => {
    const { driver, sent } = createTroubledDriver(only('a'), ok)
    const client = new ScriptedClient(createMessages('a1b1'))
    const phone = startPhone(client, driver)
    expect(await phone.done).toEqual({ handled: 2, sent: 1, failed: 1, unknown: 0, unreported: 0 })
    expect(sent.join('')).toBe('aaaaab')
    expect(phone.clock.slept.slice(0, 4)).toEqual([1000, 2000, 4000, 8000])
    const error_message = expect.stringContaining('no such thing')
    expect(client.of('failure')).toMatchObject([{ id: 'a', error_message, outcome: 'failed' }])
    expect(phone.names()).toEqual([
      ...['ready', 'took', 'trouble', 'recovered', 'failed', 'idle', 'took', 'sent', 'stopping'],
    ])
  })

  it('does not fail if the driver asks for a wait', async () => {
    const state = createTroubledDriver(only('a'), ok, 2000)
    const client = new ScriptedClient(createMessages('a1'))
    const phone = startPhone(client, state.driver)
    stopAfter(8, state, phone)
    await phone.done
    expect(client.of('failure')).toEqual([])
  })

  it('has five more tries when it is fetched again', async () => {
    const { driver } = createTroubledDriver(only('a'), ok)
    const client = new ScriptedClient(createMessages('a1b1a1b1'))
    await startPhone(client, driver).done
    expect(client.of('failure')).toHaveLength(2)
  })

  it('fails if another worker can send, for a driver without health', async () => {
    const driverStatus = new DriverStatus()
    driverStatus.startProbe()
    const state = createTroubledDriver(only('a'))
    const client = new ScriptedClient(createMessages('a1'))
    state.onSend = () => {
      if (state.sent.length !== 5) return
      driverStatus.recordSuccess()
      driverStatus.startProbe()
    }
    expect(await startPhone(client, state.driver, { driverStatus }).done).toMatchObject({
      failed: 1,
    })
  })

  it('fails if nothing is known, so that the next message is tried', async () => {
    const { driver, sent } = createTroubledDriver(only('a'))
    const phone = startPhone(new ScriptedClient(createMessages('a1b1c1')), driver)
    expect(await phone.done).toMatchObject({ failed: 1, sent: 2 })
    expect(sent.join('')).toBe('aaaaabc')
    const { names } = phone
    expect(names().slice(2, 7)).toEqual(['trouble', 'failed', 'idle', 'took', 'recovered'])
  })
})

describe('a driver that is down', () => {
  it.each([
    ['reports it', async () => ({ ok: false })],
    ['does not answer', async () => Promise.reject(new Error('no'))],
    ['does not answer', () => new Promise<never>(() => {})],
  ])('and %s fails no message', async (_, health) => {
    const state = createTroubledDriver(() => true, health)
    const client = new ScriptedClient(createMessages('a1'))
    const phone = startPhone(client, state.driver)
    stopAfter(20, state, phone)
    expect(await phone.done).toMatchObject({ handled: 0, trouble: 'no such thing' })
    expect(client.of('failure')).toEqual([])
    expect(phone.names()).toEqual(['ready', 'took', 'trouble', 'stopping', 'returned'])
  })

  it('without health fails one message, however long it lasts', async () => {
    const state = createTroubledDriver(() => true)
    const client = new ScriptedClient(createMessages('a1b1'))
    const phone = startPhone(client, state.driver)
    stopAfter(45, state, phone)
    expect(await phone.done).toMatchObject({ handled: 1, failed: 1, trouble: 'no such thing' })
    expect(client.of('failure').map(each => each.id)).toEqual(['a'])
    expect(phone.clock.slept.at(-1)).toBe(30_000)
    expect(phone.names().filter(each => each === 'trouble')).toHaveLength(1)
  })
})

it('a stop does not fail the message', async () => {
  const state = createTroubledDriver(only('a'), ok)
  const client = new ScriptedClient(createMessages('a1'))
  const phone = startPhone(client, state.driver)
  stopAfter(4, state, phone)
  expect(await phone.done).toMatchObject({ handled: 0 })
})
