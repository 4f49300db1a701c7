import { hostname } from 'node:os'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import MessageSend from '../../commands/message/send.js'
import Phone from '../../commands/phone.js'
import Status from '../../commands/status.js'
import { formatDateTime } from '../../src/domain/time/date-time.js'
import { RelayClient } from '../../src/index.js'
import { type Ran, run, type Service, start, startService } from './harness.js'

const status = async (service: Service, ...argv: string[]): Promise<Ran> =>
  await run(Status, [...service.flags, ...argv], { env: service.env })

async function send(service: Service): Promise<void> {
  const argv = ['+12025550123', 'hello', ...service.flags]
  expect((await run(MessageSend, argv, { env: service.env })).code).toBe(0)
}

/** A phone that sends what there is and ends. */
async function sendOnce(service: Service, ...argv: string[]): Promise<void> {
  const once = ['--driver', 'simulate', '--once', '--no-journal', ...service.flags, ...argv]
  expect((await run(Phone, once, { env: service.env })).code).toBe(0)
}

describe('status', () => {
  it('shows the phones with their names, and ends with 0 when nothing is wrong', async () => {
    const service = await startService()
    await send(service)
    await sendOnce(service, '--name', 'front desk')
    const ran = await status(service)
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).toContain(`relay     ${service.relay.url}\n`)
    expect(ran.stdout).toMatch(/^front desk +simulate +\d s ago +\d s ago +never +alive$/m)
  })

  it('calls a phone after its host, or as the environment says', async () => {
    const service = await startService()
    await sendOnce(service)
    vi.stubEnv('SMSRELAY_PHONE_NAME', 'from env')
    onTestFinished(() => {
      vi.unstubAllEnvs()
    })
    await sendOnce(service)
    const { phones } = JSON.parse((await status(service, '--json')).stdout)
    const names = (phones as { name: string }[]).map(({ name }) => name)
    expect(names.sort()).toEqual(['from env', hostname()].sort())
  })

  it('warns of nothing at night, whatever is due, while a phone is in its quiet hours', async () => {
    const service = await startService()
    await send(service)
    const argv = ['--driver', 'simulate', '--no-journal', '--name', 'night', ...service.flags]
    const clock = (hours: number) => formatDateTime(Date.now() + hours * 3_600_000).slice(11, 16)
    const hours = ['--quiet', `${clock(-1)}-${clock(2)}`, '--time-zone', 'UTC']
    const phone = start(Phone, [...argv, ...hours], { env: service.env })
    const asleep = /^night +simulate +never +never +never +quiet until \d\d:\d\d UTC$/m
    await vi.waitFor(async () => expect((await status(service)).stdout).toMatch(asleep))
    expect(await status(service, '--max-age', '0s')).toMatchObject({ code: 0, stderr: '' })
    phone.signals.emit('SIGINT')
    expect(await phone.ended).toMatchObject({ code: 0 })
  })

  it('warns and ends with 6 when messages are due and no phone asks', async () => {
    const service = await startService()
    await send(service)
    const ran = await status(service)
    expect(ran).toMatchObject({ code: 6, stderr: '' })
    expect(ran.stdout).toContain('Warning: No phone asks for messages, and 1 message is due.\n')
    const json = await status(service, '--json')
    expect(json.code).toBe(6)
    expect(JSON.parse(json.stdout)).toMatchObject({
      relay: { url: service.relay.url },
      queue: { waiting: 1, due: 1, leased: 0 },
      phones: [],
      warnings: [{ code: 'no_phone' }],
    })
  })

  it('forgets a phone that is gone', async () => {
    const service = await startService()
    await sendOnce(service, '--name', 'old')
    const ran = await status(service, '--forget', 'old')
    expect(ran).toMatchObject({ code: 0 })
    expect(ran.stdout).toContain('No phone has asked')
    expect(await status(service, '--forget', 'old')).toMatchObject({ code: 5 })
  })

  it('shows it again and again with --watch, until Ctrl-C', async () => {
    const service = await startService()
    const argv = [...service.flags, '--watch', '--every', '100ms', '--json']
    const running = start(Status, argv, { env: service.env })
    await running.untilPrinted('\n')
    await vi.waitFor(() => expect(running.printed().split('\n').length).toBeGreaterThan(2))
    running.signals.emit('SIGINT')
    const ran = await running.ended
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    for (const line of ran.stdout.trim().split('\n')) {
      expect(JSON.parse(line)).toMatchObject({ warnings: [] })
    }
  })

  it('is refused with flags that make no sense', async () => {
    const service = await startService()
    for (const wrong of [
      ['--every', '1s'],
      ['--max-age', 'soon'],
      ['--watch', '--every', 'x'],
    ]) {
      expect(await status(service, ...wrong)).toMatchObject({ code: 2, stdout: '' })
    }
    expect(
      await run(Phone, ['--driver', 'simulate', '--name', ' x', ...service.flags]),
    ).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--name'),
    })
  })

  it('says that a relay cannot be reached', async () => {
    const service = await startService()
    await service.relay.stop()
    const ran = await status(service)
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(ran.stderr).toContain(service.relay.url)
  })
})

describe('RelayClient', () => {
  async function clients(service: Service) {
    const { secret_key: user, api_key: api, app_key: app } = service.account
    const { url } = service.relay
    return {
      api: new RelayClient({ url, credentials: { user, password: api } }),
      phone: (name: string) => {
        const phone = { name, driver: 'own program' }
        return new RelayClient({ url, credentials: { user, password: app }, phone })
      },
    }
  }

  it('makes a phone known with NEXT and reports, and has a method for each route', async () => {
    const service = await startService()
    const { api, phone } = await clients(service)
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

  it('says of a phone that it is there, and until when it is at rest', async () => {
    const service = await startService()
    const { api, phone } = await clients(service)
    const quiet_until = formatDateTime(Date.now() + 60_000)
    await phone('one').status.reportPresence({ quiet_until })
    const asleep = { name: 'one', driver: 'own program', last_next_on: null, quiet_until }
    expect(await api.status.listPhones()).toMatchObject([asleep])
    await phone('one').status.reportPresence()
    expect(await api.status.listPhones()).toMatchObject([{ name: 'one', quiet_until: null }])
  })

  it('understands a relay of before phones said that they are there', async () => {
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

  it('is not made for a phone that cannot be called so', async () => {
    const { phone } = await clients(await startService())
    expect(() => phone('a\nb')).toThrow(expect.objectContaining({ code: 'usage' }))
  })

  it('keeps a phone alive while its NEXT is held open', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2030, 0, 1) })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const service = await startService()
    const { api, phone } = await clients(service)
    const stop = new AbortController()
    const held = phone('held').messages.next({ wait: 30, signal: stop.signal })
    await vi.waitFor(async () => expect(await api.status.listPhones()).toHaveLength(1))
    vi.setSystemTime(Date.UTC(2030, 0, 1, 1))
    const alive = { name: 'held', last_next_on: '2030-01-01 01:00:00', silent: false }
    expect(await api.status.listPhones()).toMatchObject([alive])
    stop.abort()
    await held.catch(() => {})
    await vi.waitFor(async () => {
      vi.setSystemTime(Date.now() + 6 * 60_000)
      expect(await api.status.listPhones()).toMatchObject([{ silent: true }])
    })
  })
})
