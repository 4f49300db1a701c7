import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { formatDateTime } from '../../src/domain/time/date-time.js'
import { RelayClient } from '../../src/index.js'
import { type RelayFixture, startRelay } from '../commands/harness.js'

describe('client.status', () => {
  function createClients(fixture: RelayFixture) {
    const { secret_key: user, api_key: api, app_key: app } = fixture.account
    const { url } = fixture.relay
    return {
      api: new RelayClient({ url, credentials: { user, password: api } }),
      phone: (name: string) => {
        const phone = { name, driver: 'own program' }
        return new RelayClient({ url, credentials: { user, password: app }, phone })
      },
    }
  }

  it('a phone is listed after NEXT and reports, and can be forgotten', async () => {
    const fixture = await startRelay()
    const { api, phone } = createClients(fixture)
    const one = phone('one')
    const { id } = await api.messages.create({ destination: '+12025550123', message: 'hello' })
    expect(await one.status.getQueue()).toMatchObject({ waiting: 1, due: 1, leased: 0 })
    expect(await one.messages.next({ wait: 1 })).toMatchObject({ id })
    expect(await api.status.getQueue()).toMatchObject({ due: 0, leased: 1, oldest_due_on: null })
    await one.messages.reportSuccess(id, { parts: 1 })
    expect(await api.status.listPhones()).toMatchObject([
      { name: 'one', driver: 'own program', last_success_on: expect.any(String), silent: false },
    ])
    const { today, hours, days, utc_offset } = await api.status.getStatistics(60)
    expect(today).toMatchObject({ created: 1, sent: 1, failed: 0, blocked: 0 })
    expect([hours.length, days.length, utc_offset]).toEqual([48, 90, 60])
    expect(await api.status.forgetPhone('one')).toMatchObject({ name: 'one' })
    expect(await api.status.listPhones()).toEqual([])
  })

  it('a phone reports that it runs, and the end of its quiet hours', async () => {
    const fixture = await startRelay()
    const { api, phone } = createClients(fixture)
    const quiet_until = formatDateTime(Date.now() + 60_000)
    await phone('one').status.reportPresence({ quiet_until })
    const asleep = { name: 'one', driver: 'own program', last_next_on: null, quiet_until }
    expect(await api.status.listPhones()).toMatchObject([asleep])
    await phone('one').status.reportPresence()
    expect(await api.status.listPhones()).toMatchObject([{ name: 'one', quiet_until: null }])
  })

  it('accepts a reply without the fields of a phone that reports its presence', async () => {
    const at = '2030-01-01 00:00:00'
    const phone = {
      ...{ name: 'a', driver: 'modem', first_next_on: at, last_next_on: at },
      ...{ last_success_on: null, last_failure_on: null, silent: false },
    }
    const answer = async () => Response.json({ phones: [{ phone }] })
    const credentials = { token: 't' }
    const client = new RelayClient({ url: 'http://localhost', credentials, fetch: answer })
    expect(await client.status.listPhones()).toEqual([phone])
  })

  it('rejects an invalid phone name', async () => {
    const { phone } = createClients(await startRelay())
    expect(() => phone('a\nb')).toThrow(expect.objectContaining({ code: 'usage' }))
  })

  it('a phone is alive while the relay holds its NEXT open', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2030, 0, 1) })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const fixture = await startRelay()
    const { api, phone } = createClients(fixture)
    const stop = new AbortController()
    const pending = phone('held').messages.next({ wait: 30, signal: stop.signal })
    await expect.poll(async () => await api.status.listPhones()).toHaveLength(1)
    vi.setSystemTime(Date.UTC(2030, 0, 1, 1))
    const alive = { name: 'held', last_next_on: '2030-01-01 01:00:00', silent: false }
    expect(await api.status.listPhones()).toMatchObject([alive])
    stop.abort()
    await pending.catch(() => {})
    const listLater = async () => {
      vi.setSystemTime(Date.now() + 6 * 60_000)
      return await api.status.listPhones()
    }
    await expect.poll(listLater).toMatchObject([{ silent: true }])
  })
})
