import { describe, expect, it, onTestFinished } from 'vitest'
import { RelayClient } from '../../../src/index.js'
import { createQuietHours } from '../../../src/phone/quiet-hours/quiet-hours.js'
import { runPhone } from '../../../src/phone/run-phone.js'
import { FakeClock } from '../../util/async/fake-clock.js'
import { RecordingDriver } from '../phone-rig.js'
import { setUp } from '../relay-rig.js'

const minute = 60_000

describe('at the relay, a phone in quiet hours', () => {
  async function openPhone() {
    const clock = new FakeClock({ start: Date.parse('2026-11-20T23:15:00Z') })
    const { url, account, client, send, status } = await setUp({}, undefined, clock.now)
    const stop = new AbortController()
    const credentials = { user: account.secret_key, password: account.app_key }
    const phone = { name: 'pixel', driver: 'recording' }
    const driver = new RecordingDriver()
    const { id } = await send()
    const done = runPhone({
      ...{ driver, stop: stop.signal, clock },
      quiet: createQuietHours(['22:00-23:45'], 'UTC'),
      client: new RelayClient({ url, credentials, retries: 0, phone }),
    })
    const finish = async () => {
      stop.abort()
      return await done
    }
    /** Ends the first of two waits. */
    const step = async () => {
      await expect.poll(() => clock.pending).toBe(2)
      clock.next()
    }
    onTestFinished(async () => void (await finish()))
    const seen = async () => (await client.status.listPhones())[0]
    const quiet = { name: 'pixel', quiet_until: '2026-11-20 23:45:00', silent: false }
    await expect.poll(seen).toMatchObject({ ...quiet, last_next_on: null, first_next_on: null })
    return { clock, driver, seen, quiet, step, finish, status: () => status(id) }
  }

  it('is quiet and not silent until it fetches the due message', async () => {
    const { clock, driver, seen, quiet, step, status } = await openPhone()
    while (clock.monotonic() < 29 * minute) {
      await step()
      await expect.poll(() => clock.pending).toBe(2)
      expect(await seen()).toMatchObject(quiet)
      expect(await status()).toBe('N')
    }
    expect(await seen()).toMatchObject({ last_seen_on: expect.stringMatching(/ 23:4[34]:/) })
    // The end of the two minutes, then of the quiet hours.
    await step()
    await step()
    await expect.poll(() => driver.sent.length).toBe(1)
    await expect.poll(status).toBe('S')
    const now = '2026-11-20 23:45:00'
    expect(await seen()).toMatchObject({
      ...{ first_next_on: now, last_next_on: now, last_seen_on: now },
      ...{ quiet_until: null, last_quiet_on: now, silent: false },
    })
  })

  it('is silent five minutes after it died', async () => {
    const { clock, seen, quiet, finish } = await openPhone()
    await finish()
    clock.advance(5 * minute)
    expect(await seen()).toMatchObject(quiet)
    clock.advance(1000)
    expect(await seen()).toMatchObject({ ...quiet, silent: true })
  })
})
