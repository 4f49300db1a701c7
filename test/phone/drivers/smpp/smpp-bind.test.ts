import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createDriver } from '../../../../src/phone/drivers/driver-registry.js'
import { createClock } from '../../../../src/util/async/clock.js'
import { listen } from './smpp-line.js'
import { createSmppDriver, Smsc } from './smsc.js'

const never = new AbortController().signal
const text = (message = 'Hello', destination = '+12025550123') => ({
  id: 'a',
  destination,
  text: message,
})

describe('binding', () => {
  it('happens with the first text, once for concurrent texts', async () => {
    const smsc = await Smsc.start()
    const driver = createSmppDriver(smsc, { 'system-type': 'VMA' })
    expect(smsc.binds).toHaveLength(0)
    await Promise.all(Array.from({ length: 5 }, () => driver.send(text(), never)))
    expect(smsc.binds).toMatchObject([
      { system_id: 'relay', password: 'sesame', system_type: 'VMA', interface_version: 0x34 },
    ])
    expect(smsc.accepted).toHaveLength(5)
  })

  it.each([
    [0x0e, /"relay" \(ESME_RINVPASWD.*SMSRELAY_SMPP_PASSWORD/],
    [0x0f, /ESME_RINVSYSID.*option system-id/],
    [0x0d, /ESME_RBINDFAIL/],
    [0x05, /ESME_RALYBND/],
  ])('rejected with status %i is trouble and names no secret', async (status, values) => {
    const smsc = await Smsc.start()
    smsc.bindStatus = status
    const driver = createSmppDriver(smsc)
    const error = await driver.send(text(), never).catch(each => each)
    expect(error).toMatchObject({ kind: 'trouble', message: expect.stringMatching(values) })
    expect(error.message).not.toContain('sesame')
    await expect(driver.send(text(), never)).rejects.toMatchObject({ kind: 'trouble' })
    expect(smsc.binds).toHaveLength(1)
  })

  it('is tried again after 15 seconds, also if the wall clock is set back', async () => {
    const smsc = await Smsc.start()
    smsc.bindStatus = 0x0e
    let elapsed = 0
    const options = { host: '127.0.0.1', port: String(smsc.port), 'system-id': 'relay' }
    const context = {
      env: { SMSRELAY_SMPP_PASSWORD: 'x' },
      clock: { ...createClock(), now: () => -elapsed, monotonic: () => elapsed },
    }
    await using driver = createDriver('smpp', options, context)
    await expect(driver.send(text(), never)).rejects.toMatchObject({
      kind: 'trouble',
      wait: 15_000,
    })
    smsc.bindStatus = 0
    await expect(driver.send(text(), never)).rejects.toMatchObject({ kind: 'trouble' })
    elapsed = 15_000
    expect(await driver.send(text(), never)).toEqual({ parts: 1 })
  })

  it('to a silent server is trouble after the timeout', async () => {
    const { port } = await listen(createServer(() => {}))
    const error = await createSmppDriver({ port }, { timeout: '1' })
      .send(text(), never)
      .catch(each => each)
    expect(error).toMatchObject({ kind: 'trouble', message: /bind_transceiver/ })
  })

  it('is stopped at once', async () => {
    const { port } = await listen(createServer(() => {}))
    const stop = new AbortController()
    const driver = createSmppDriver({ port }, { timeout: '600' })
    const sent = driver.send(text(), stop.signal)
    stop.abort()
    await expect(sent).rejects.toMatchObject({ kind: 'trouble' })
    await driver[Symbol.asyncDispose]()
  })

  it('ends with unbind', async () => {
    const smsc = await Smsc.start()
    const driver = createSmppDriver(smsc)
    await driver.send(text(), never)
    await driver[Symbol.asyncDispose]()
    expect(smsc.commands).toEqual(['bind_transceiver', 'submit_sm', 'unbind'])
  })
})
