import { describe, expect, it } from 'vitest'
import { RelayError } from '../../../../src/errors.js'
import { DriverError } from '../../../../src/phone/driver-port/driver.js'
import { createStoppingClock, RecordingDriver, startPhone, unreachable } from '../../phone-rig.js'
import { message, ScriptedClient } from '../../scripted-client.js'

const busy = new RelayError('too_many_requests', 'Too many requests.', { retryAfter: 42 })

describe('a relay that is down', () => {
  it('gets requests with growing pauses, and is reported once', async () => {
    const outage = Array.from({ length: 7 }, () => unreachable)
    const client = new ScriptedClient([...outage, message('a')])
    const driver = new RecordingDriver()
    const phone = startPhone(client, driver)
    await phone.done
    expect(phone.clock.slept).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
    expect(phone.names()).toEqual([
      'offline',
      'online',
      'ready',
      'took',
      'sent',
      'idle',
      'stopping',
    ])
  })

  it.each(['timed_out', 'invalid_reply', 'unavailable', 'internal_error'] as const)(
    'may answer with %s',
    async code => {
      const client = new ScriptedClient([new RelayError(code, 'Away.'), message('a')])
      expect(await startPhone(client, new RecordingDriver()).done).toMatchObject({ sent: 1 })
    },
  )

  it('is reported again in the next outage, whose pauses start over', async () => {
    const client = new ScriptedClient([unreachable, unreachable, undefined, unreachable])
    const phone = startPhone(client, new RecordingDriver())
    await phone.done
    expect(phone.names().filter(each => each === 'offline')).toHaveLength(2)
    expect(phone.clock.slept).toEqual([1000, 2000, 1000])
  })

  it('gets no request for the time that it requests, at most five minutes', async () => {
    const forever = new RelayError('unavailable', 'Away.', { retryAfter: 1e9 })
    const phone = startPhone(new ScriptedClient([busy, forever]), new RecordingDriver())
    await phone.done
    expect(phone.clock.slept).toEqual([42_000, 300_000])
  })

  it('gets a request after half to all of each pause, so that phones spread out', async () => {
    const client = new ScriptedClient([unreachable, unreachable])
    const phone = startPhone(client, new RecordingDriver(), { random: () => 0 })
    await phone.done
    expect(phone.clock.slept).toEqual([500, 1000])
  })

  it('does not delay a stop', async () => {
    const client = new ScriptedClient([unreachable])
    const phone = startPhone(client, new RecordingDriver(), {
      clock: createStoppingClock(() => phone.stop.abort()),
    })
    expect(await phone.done).toMatchObject({ handled: 0 })
  })
})

describe('rejected keys', () => {
  it.each([
    ['insufficient_scope', /application key/],
    ['invalid_client', /No\./],
    ['invalid_token', /No\./],
  ] as const)('end the worker: %s', async (code, value) => {
    const phone = startPhone(
      new ScriptedClient([new RelayError(code, 'No.')]),
      new RecordingDriver(),
    )
    await expect(phone.done).rejects.toMatchObject({ name: 'RelayError', code })
    await expect(phone.done).rejects.toThrow(value)
  })

  it('end the worker at a report, and the outcome is emitted', async () => {
    const rotated = new RelayError('invalid_client', 'No.')
    const phone = startPhone(new ScriptedClient([message('a')], [rotated]), new RecordingDriver())
    await expect(phone.done).rejects.toMatchObject({ code: 'invalid_client' })
    expect(phone.events).toContainEqual(
      expect.objectContaining({ event: 'abandoned', id: 'a', outcome: 'sent' }),
    )
  })
})

describe('a report', () => {
  it('is repeated with one key until the relay answers, without NEXT or sending', async () => {
    const away = Array.from({ length: 40 }, () => unreachable)
    const client = new ScriptedClient([message('a')], [...away, busy])
    const driver = new RecordingDriver()
    const phone = startPhone(client, driver)
    const result = await phone.done
    const names = client.calls.map(each => each.call)
    expect(names.slice(0, 43)).toEqual(['next', ...Array.from({ length: 42 }, () => 'success')])
    expect(new Set(client.of('success').map(each => each.key))).toEqual(new Set(['key-1']))
    expect(driver.sent).toHaveLength(1)
    expect(phone.clock.slept.at(40)).toBe(42_000)
    expect(phone.names()).toEqual([
      'ready',
      'took',
      'offline',
      'online',
      'reported-late',
      'sent',
      'idle',
      'stopping',
    ])
    expect(result).toMatchObject({ sent: 1, unreported: 0 })
  })

  it('emits its delay, and the outage names its message', async () => {
    const phone = startPhone(
      new ScriptedClient([message('a')], [unreachable, unreachable]),
      new RecordingDriver(),
    )
    await phone.done
    expect(phone.events).toContainEqual({ event: 'reported-late', id: 'a', delay: 3000 })
    expect(phone.events).toContainEqual(expect.objectContaining({ event: 'offline', id: 'a' }))
  })

  it('of a failure is repeated with one key', async () => {
    const driver = new RecordingDriver(() => Promise.reject(new DriverError('retry', 'busy')))
    const client = new ScriptedClient([message('a')], [unreachable])
    await startPhone(client, driver).done
    expect(client.of('failure').map(each => each.key)).toEqual(['key-1', 'key-1'])
  })

  it.each(['not_a_message', 'invalid_state', 'invalid_parameter'] as const)(
    'that is refused with %s is emitted, and the worker goes on',
    async code => {
      const refused = new RelayError(code, 'Not this one.')
      const client = new ScriptedClient([message('a'), message('b')], [refused])
      const phone = startPhone(client, new RecordingDriver())
      expect(await phone.done).toMatchObject({ handled: 2, sent: 2, unreported: 1 })
      const error = 'Not this one.'
      expect(phone.events).toContainEqual({
        event: 'refused',
        id: 'a',
        outcome: 'sent',
        code,
        error,
      })
      expect(client.of('success').map(each => each.id)).toEqual(['a', 'b'])
    },
  )

  it('that is refused again and again slows the worker down', async () => {
    const refused = new RelayError('invalid_state', 'Not this one.')
    const four = Array.from({ length: 4 }, () => message('a'))
    const phone = startPhone(
      new ScriptedClient(four, [refused, refused, refused]),
      new RecordingDriver(),
    )
    await phone.done
    expect(phone.clock.slept).toEqual([1000, 2000, 4000])
  })
})

it('a relay without batches ends the phone, with a hint', async () => {
  const client = new ScriptedClient([])
  client.messages.nextBatch = async () => ({ messages: [message('a')], claim: undefined })
  const driver = new RecordingDriver()
  await expect(startPhone(client, driver).done).rejects.toMatchObject({
    code: 'configuration',
    hint: expect.stringContaining('smsrelay'),
  })
  expect(driver.sent).toEqual([])
})
