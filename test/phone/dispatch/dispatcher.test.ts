import { describe, expect, it } from 'vitest'
import { RelayError } from '../../../src/errors.js'
import { DriverError, type DriverErrorKind } from '../../../src/phone/driver-port/driver.js'
import { RecordingDriver, startPhone, unreachable } from '../phone-rig.js'
import { message, ScriptedClient } from '../scripted-client.js'

function failWith(kind: DriverErrorKind, text = 'no signal') {
  return () => Promise.reject(new DriverError(kind, text))
}

describe('a message', () => {
  it('is fetched, sent and reported with the parts of the receipt', async () => {
    const client = new ScriptedClient([message('a'), message('b')])
    const driver = new RecordingDriver(() => ({ parts: 3 }))
    const phone = startPhone(client, driver)
    const result = await phone.done
    expect(driver.sent[0]).toMatchObject({
      id: 'a',
      destination: '+12025550123',
      text: 'Hello there',
    })
    expect(client.of('success')).toMatchObject([
      { id: 'a', parts: 3 },
      { id: 'b', parts: 1 },
    ])
    expect(result).toEqual({ handled: 2, sent: 2, failed: 0, unknown: 0, unreported: 0 })
    expect(phone.events.slice(0, 3)).toEqual([
      { event: 'ready', driver: 'recording' },
      { event: 'took', id: 'a', destination: '+12025550123' },
      { event: 'sent', id: 'a', parts: 3, test: false },
    ])
  })

  it.each([
    ['x'.repeat(161), undefined, 2],
    ['ж'.repeat(71), undefined, 2],
    ['short', 0, 1],
    ['short', 256, 1],
    ['short', 1.5, 1],
    ['short', 255, 255],
  ])('%# has the parts of its text if the receipt has no valid number', async (...row) => {
    const [text, given, parts] = row
    const client = new ScriptedClient([message('a', { message: text })])
    const receipt = given === undefined ? {} : { parts: given }
    await startPhone(client, new RecordingDriver(() => receipt)).done
    expect(client.of('success')).toMatchObject([{ parts }])
  })

  it.each([
    ['retry', 'failed'],
    ['fail', 'failed'],
    ['unknown', 'unknown'],
  ] as const)('that fails with %s is reported as %s', async (kind, outcome) => {
    const client = new ScriptedClient([message('a')])
    const phone = startPhone(client, new RecordingDriver(failWith(kind)))
    const result = await phone.done
    expect(client.of('failure')).toMatchObject([{ id: 'a', error_message: 'no signal', outcome }])
    expect(result).toMatchObject({ handled: 1, sent: 0, [outcome]: 1 })
    expect(phone.events).toContainEqual(
      expect.objectContaining({ event: outcome, id: 'a', error: 'no signal', status: 'E' }),
    )
  })

  it('whose driver throws another error has an unknown outcome', async () => {
    const client = new ScriptedClient([message('a')])
    const broken = () => {
      throw new TypeError('undefined is not a modem')
    }
    await startPhone(client, new RecordingDriver(broken)).done
    expect(client.of('failure')).toMatchObject([{ outcome: 'unknown' }])
  })

  it.each([
    ['a\0b\r\n  c\ud800', 'a b c\ufffd'],
    ['😀'.repeat(2000), '😀'.repeat(1000)],
  ])('%# has an error message that the relay accepts', async (given, reported) => {
    const client = new ScriptedClient([message('a')])
    await startPhone(client, new RecordingDriver(failWith('retry', given))).done
    expect(client.of('failure')).toMatchObject([{ error_message: reported }])
  })

  it.each([
    ['+1 (202) 555-0123', '+12025550123'],
    ['+44 (0)20 7946 0018', '+442079460018'],
    ['(0151) 234 56.78', '01512345678'],
    ['81234', '81234'],
  ])('to %s is dialled as %s', async (destination, dialled) => {
    const driver = new RecordingDriver()
    await startPhone(new ScriptedClient([message('a', { destination })]), driver).done
    expect(driver.sent).toMatchObject([{ destination: dialled }])
  })

  it('to a test number has its fixed outcome without a driver', async () => {
    const good = message('a', { destination: '+1 202 555-1212', message: 'x'.repeat(200) })
    const client = new ScriptedClient([good, message('b', { destination: '5551213' })])
    const driver = new RecordingDriver()
    const phone = startPhone(client, driver)
    await phone.done
    expect(driver.sent).toEqual([])
    expect(client.of('success')).toMatchObject([{ id: 'a', parts: 2 }])
    expect(client.of('failure')).toMatchObject([{ id: 'b', outcome: 'failed' }])
    expect(phone.events).toContainEqual({ event: 'sent', id: 'a', parts: 2, test: true })
  })

  it('has its text in no event', async () => {
    const refused = new RelayError('not_a_message', 'There is no such message.')
    const client = new ScriptedClient([message('a'), message('b'), message('c')], [refused])
    const driver = new RecordingDriver(() => ({}), failWith('retry'), failWith('trouble'))
    const phone = startPhone(client, driver)
    await phone.done
    expect(phone.names()).toEqual(expect.arrayContaining(['took', 'refused', 'failed', 'trouble']))
    expect(JSON.stringify(phone.events)).not.toContain('Hello')
  })
})

describe('a message that is fetched again', () => {
  it('is reported again, not sent, if its report was refused', async () => {
    const refused = new RelayError('invalid_state', 'The message is locked.')
    const client = new ScriptedClient([message('a'), message('a')], [refused])
    const driver = new RecordingDriver(() => ({ parts: 2 }))
    const phone = startPhone(client, driver)
    await phone.done
    expect(driver.sent).toHaveLength(1)
    expect(client.of('success')).toMatchObject([{ parts: 2 }, { parts: 2 }])
    expect(phone.names()).toEqual(expect.arrayContaining(['refused', 'sent']))
  })

  it('is not sent again if its report was accepted', async () => {
    const client = new ScriptedClient([message('a'), message('a')])
    const driver = new RecordingDriver()
    await startPhone(client, driver).done
    expect(driver.sent).toHaveLength(1)
  })

  it('is sent if it was edited', async () => {
    const client = new ScriptedClient([message('a'), message('a', { message: 'Another text' })])
    const driver = new RecordingDriver()
    await startPhone(client, driver).done
    expect(driver.sent.map(each => each.text)).toEqual(['Hello there', 'Another text'])
  })

  it('is sent if the earlier attempt failed', async () => {
    const client = new ScriptedClient([message('a'), message('a')])
    const driver = new RecordingDriver(failWith('retry'))
    const phone = startPhone(client, driver)
    expect(await phone.done).toMatchObject({ handled: 2, sent: 1, failed: 1 })
  })
})

describe('driver trouble', () => {
  it('holds the message unreported and tries it again after a wait', async () => {
    const client = new ScriptedClient([message('a')])
    const driver = new RecordingDriver(failWith('trouble'), failWith('trouble'))
    const phone = startPhone(client, driver)
    const result = await phone.done
    expect(driver.sent).toHaveLength(3)
    expect(client.of('failure')).toEqual([])
    expect(phone.clock.slept.slice(0, 2)).toEqual([1000, 2000])
    expect(phone.names().slice(0, 5)).toEqual(['ready', 'took', 'trouble', 'recovered', 'sent'])
    expect(result).toEqual({ handled: 1, sent: 1, failed: 0, unknown: 0, unreported: 0 })
  })

  it('waits for as long as the driver asks', async () => {
    const client = new ScriptedClient([message('a')])
    const busy = () => Promise.reject(new DriverError('trouble', 'throttled', { wait: 60_000 }))
    const phone = startPhone(client, new RecordingDriver(busy, failWith('trouble')))
    await phone.done
    expect(phone.clock.slept.slice(0, 2)).toEqual([60_000, 2000])
  })

  it('waits as long as the driver asks, and tries another message the second time', async () => {
    const other = message('b', { destination: '+12025550124' })
    const client = new ScriptedClient([message('a'), other])
    const busy = () => Promise.reject(new DriverError('trouble', 'silent', { wait: 500 }))
    const driver = new RecordingDriver(busy, busy, busy)
    const phone = startPhone(client, driver)
    await phone.done
    expect(driver.sent.map(each => each.id)).toEqual(['a', 'a', 'b', 'b'])
    const released = client.calls.filter(({ call }) => call === 'release')
    expect(released).toEqual([{ call: 'release', id: 'a' }])
    expect(phone.clock.slept.slice(0, 2)).toEqual([500, 500])
  })
})

describe('an empty queue', () => {
  it('is polled with a wait after a first NEXT without one', async () => {
    const client = new ScriptedClient([undefined])
    const phone = startPhone(client, new RecordingDriver())
    await phone.done
    expect(client.of('next').map(each => each.wait)).toEqual([0, 25, 0])
    expect(phone.names()).toEqual(['ready', 'idle', 'stopping'])
  })

  it('is known from a batch that is not full', async () => {
    const client = new ScriptedClient([undefined, message('a'), undefined])
    await startPhone(client, new RecordingDriver()).done
    expect(client.of('next').map(each => each.wait)).toEqual([0, 25, 25, 25, 0])
  })

  it('at a relay without long polls is polled with growing pauses', async () => {
    const client = new ScriptedClient(Array.from({ length: 7 }, () => undefined))
    const phone = startPhone(client, new RecordingDriver())
    await phone.done
    expect(phone.clock.slept).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000])
    expect(phone.names().filter(each => each === 'idle')).toHaveLength(1)
  })
})

describe('once', () => {
  it('ends after one message', async () => {
    const client = new ScriptedClient([message('a'), message('b')])
    const driver = new RecordingDriver()
    const result = await startPhone(client, driver, { once: true }).done
    expect(driver.sent.map(each => each.id)).toEqual(['a'])
    expect(result).toMatchObject({ handled: 1, sent: 1 })
  })

  it('ends at once if no message is due', async () => {
    const client = new ScriptedClient([undefined])
    const result = await startPhone(client, new RecordingDriver(), { once: true }).done
    expect(client.calls).toEqual([{ call: 'next', wait: 0 }])
    expect(result).toEqual({ handled: 0, sent: 0, failed: 0, unknown: 0, unreported: 0 })
  })

  it('ends with an error if the relay is unreachable', async () => {
    const phone = startPhone(new ScriptedClient([unreachable]), new RecordingDriver(), {
      once: true,
    })
    await expect(phone.done).rejects.toBe(unreachable)
  })

  it('reports driver trouble and does not wait for its end', async () => {
    const driver = new RecordingDriver(failWith('trouble', 'no modem'))
    const phone = startPhone(new ScriptedClient([message('a')]), driver, { once: true })
    expect(await phone.done).toMatchObject({ handled: 0, trouble: 'no modem' })
    expect(phone.clock.slept).toEqual([])
  })
})

describe('two workers', () => {
  it('send with one driver and a client each', async () => {
    const driver = new RecordingDriver()
    const clients = ['a', 'b'].map(id => new ScriptedClient([message(id)]))
    await Promise.all(clients.map(client => startPhone(client, driver).done))
    expect(driver.sent.map(each => each.id).sort()).toEqual(['a', 'b'])
  })
})
