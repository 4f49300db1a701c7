import { describe, expect, it } from 'vitest'
import type { MessageFields } from '../../../src/contract/message-schema.js'
import { DriverStatus } from '../../../src/phone/dispatch/driver-status.js'
import {
  type Driver,
  DriverError,
  type DriverHealth,
} from '../../../src/phone/driver-port/driver.js'
import { startPhone } from '../phone-rig.js'
import { message, ScriptedClient } from '../scripted-client.js'

/** A driver that has trouble with some messages, and what it was asked to send. */
function troubled(
  isBad: (id: string) => boolean,
  health?: () => Promise<DriverHealth>,
  wait?: number,
) {
  const sent: string[] = []
  const driver: Driver = {
    name: 'troubled',
    async send({ id }) {
      sent.push(id)
      if (isBad(id)) throw new DriverError('trouble', 'no such thing', { ...(wait && { wait }) })
      return {}
    },
    ...(health === undefined ? {} : { health }),
    async [Symbol.asyncDispose]() {},
  }
  return { driver, sent }
}

/** As many messages of these names as there are digits behind them: `a3b1`. */
function given(text: string): MessageFields[] {
  return [...text.matchAll(/([a-z])(\d+)/g)].flatMap(([, id = '', times]) =>
    Array.from({ length: Number(times) }, () => message(id)),
  )
}

const only = (bad: string) => (id: string) => id === bad
const ok = async () => ({ ok: true })

describe('one bad message', () => {
  it('is reported as a failure after five tries where telephony is well', async () => {
    const { driver, sent } = troubled(only('a'), ok)
    const client = new ScriptedClient(given('a5b1'))
    const phone = startPhone(client, driver)
    expect(await phone.done).toEqual({ handled: 2, sent: 1, failed: 1, unknown: 0, unreported: 0 })
    expect(sent.join('')).toBe('aaaaab')
    expect(phone.clock.slept.slice(0, 4)).toEqual([1000, 2000, 4000, 8000])
    const error_message = 'Not sent in 5 tries: no such thing'
    expect(client.of('failure')).toMatchObject([{ id: 'a', error_message, outcome: 'failed' }])
    expect(phone.names()).toEqual([
      ...['ready', 'took', 'trouble', 'recovered', 'failed', 'took', 'sent', 'stopping'],
    ])
  })

  it('is not blamed for what the driver knows to be the network', async () => {
    const { driver } = troubled(only('a'), ok, 2000)
    const client = new ScriptedClient(given('a8'))
    await startPhone(client, driver).done
    expect(client.of('failure')).toEqual([])
  })

  it('has five tries again when it comes back', async () => {
    const { driver } = troubled(only('a'), ok)
    const client = new ScriptedClient(given('a5b1a4b1'))
    await startPhone(client, driver).done
    expect(client.of('failure')).toHaveLength(1)
  })

  it('is told from a gateway without health by the messages another loop sends', async () => {
    const line = new DriverStatus()
    line.startProbe()
    const { driver } = troubled(only('a'))
    const client = new ScriptedClient([
      ...given('a4'),
      async () => {
        line.recordSuccess()
        line.startProbe()
        return message('a')
      },
    ])
    expect(await startPhone(client, driver, { driverStatus: line }).done).toMatchObject({
      failed: 1,
    })
  })

  it('lets the next one try where nothing is known', async () => {
    const { driver, sent } = troubled(only('a'))
    const phone = startPhone(new ScriptedClient(given('a5b1c1')), driver)
    expect(await phone.done).toMatchObject({ failed: 1, sent: 2 })
    expect(sent.join('')).toBe('aaaaabc')
    const { names } = phone
    expect(names().slice(2, 7)).toEqual(['trouble', 'failed', 'took', 'recovered', 'sent'])
  })
})

describe('a gateway that is down', () => {
  it.each([
    ['says so', async () => ({ ok: false })],
    ['cannot be asked', async () => Promise.reject(new Error('no'))],
    ['does not answer', () => new Promise<never>(() => {})],
  ])('and %s costs no message an attempt', async (_, health) => {
    const { driver } = troubled(() => true, health)
    const client = new ScriptedClient(given('a20'))
    const phone = startPhone(client, driver)
    expect(await phone.done).toMatchObject({ handled: 0, trouble: 'no such thing' })
    expect(client.of('failure')).toEqual([])
    expect(phone.names()).toEqual(['ready', 'took', 'trouble', 'stopping'])
  })

  it('without health costs one message one attempt, however long it lasts', async () => {
    const { driver } = troubled(() => true)
    const client = new ScriptedClient(given('a5b40'))
    const phone = startPhone(client, driver)
    expect(await phone.done).toMatchObject({ handled: 1, failed: 1, trouble: 'no such thing' })
    expect(client.of('failure').map(each => each.id)).toEqual(['a'])
    expect(phone.clock.slept.at(-1)).toBe(30_000)
    expect(phone.names().filter(each => each === 'trouble')).toHaveLength(1)
  })
})

it('a stop is no trouble of the message', async () => {
  const { driver } = troubled(only('a'), ok)
  const stopping = async () => {
    phone.stop.abort()
    return message('a')
  }
  const client = new ScriptedClient([...given('a4'), stopping])
  const phone = startPhone(client, driver)
  expect(await phone.done).toMatchObject({ handled: 0 })
})
