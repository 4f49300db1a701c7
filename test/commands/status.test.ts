import { hostname } from 'node:os'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import MessageSend from '../../commands/message/send.js'
import Phone from '../../commands/phone.js'
import Status from '../../commands/status.js'
import { formatDateTime } from '../../src/domain/time/date-time.js'
import { type Ran, run, type Service, start, startService } from './harness.js'

const status = async (service: Service, ...argv: string[]): Promise<Ran> =>
  await run(Status, [...service.flags, ...argv], { env: service.env })

async function send(service: Service): Promise<void> {
  const argv = ['+12025550123', 'hello', ...service.flags]
  expect((await run(MessageSend, argv, { env: service.env })).code).toBe(0)
}

/** Runs a phone that sends all due messages and exits. */
async function sendOnce(service: Service, ...argv: string[]): Promise<void> {
  const once = ['--driver', 'simulate', '--once', '--no-journal', ...service.flags, ...argv]
  expect((await run(Phone, once, { env: service.env })).code).toBe(0)
}

describe('status', () => {
  it('lists the phones with their names, and exits with 0 without warnings', async () => {
    const service = await startService()
    await send(service)
    await sendOnce(service, '--name', 'front desk')
    const ran = await status(service)
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).toContain(`relay     ${service.relay.url}\n`)
    expect(ran.stdout).toMatch(/^front desk +simulate +\d s ago +\d s ago +never +alive$/m)
  })

  it('shows the name of the host for a phone, or the name from the environment', async () => {
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

  it('does not warn about due messages during the quiet hours of a phone', async () => {
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

  it('warns and exits with 6 if messages are due and there is no phone', async () => {
    const service = await startService()
    await send(service)
    const ran = await status(service)
    expect(ran).toMatchObject({ code: 6, stderr: '' })
    expect(ran.stdout).toMatch(/^Warning: .*1 message /m)
    const json = await status(service, '--json')
    expect(json.code).toBe(6)
    expect(JSON.parse(json.stdout)).toMatchObject({
      relay: { url: service.relay.url },
      queue: { waiting: 1, due: 1, leased: 0 },
      phones: [],
      warnings: [{ code: 'no_phone' }],
    })
  })

  it('removes a phone with --forget', async () => {
    const service = await startService()
    await sendOnce(service, '--name', 'old')
    const ran = await status(service, '--forget', 'old')
    expect(ran).toMatchObject({ code: 0 })
    expect(ran.stdout).not.toContain('simulate')
    expect(await status(service, '--forget', 'old')).toMatchObject({ code: 5 })
  })

  it('repeats with --watch until Ctrl-C', async () => {
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

  it('rejects invalid flags', async () => {
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

  it('names a relay that cannot be reached', async () => {
    const service = await startService()
    await service.relay.stop()
    const ran = await status(service)
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(ran.stderr).toContain(service.relay.url)
  })
})
