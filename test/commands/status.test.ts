import { hostname } from 'node:os'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import MessageSend from '../../commands/message/send.js'
import Phone from '../../commands/phone.js'
import Status from '../../commands/status.js'
import { formatDateTime } from '../../src/domain/time/date-time.js'
import { type CommandResult, type RelayFixture, run, start, startRelay } from './harness.js'

const status = async (fixture: RelayFixture, ...argv: string[]): Promise<CommandResult> =>
  await run(Status, [...fixture.flags, ...argv], { env: fixture.env })

async function send(fixture: RelayFixture): Promise<void> {
  const argv = ['+12025550123', 'hello', ...fixture.flags]
  expect((await run(MessageSend, argv, { env: fixture.env })).code).toBe(0)
}

/** Runs a phone that sends a due message, if there is one, and exits. */
async function sendOnce(fixture: RelayFixture, ...argv: string[]): Promise<void> {
  const once = ['--driver', 'simulate', '--once', '--no-journal', ...fixture.flags, ...argv]
  expect([0, 7]).toContain((await run(Phone, once, { env: fixture.env })).code)
}

describe('status', () => {
  it('lists the phones with their names, and exits with 0 without warnings', async () => {
    const fixture = await startRelay()
    await send(fixture)
    await sendOnce(fixture, '--name', 'front desk')
    const result = await status(fixture)
    expect(result).toMatchObject({ code: 0, stderr: '' })
    expect(result.stdout).toContain(`relay         ${fixture.relay.url}\n`)
    expect(result.stdout).toMatch(/^front desk +simulate +\d s ago +\d s ago +never +alive$/m)
  })

  it('shows the name of the host for a phone, or the name from the environment', async () => {
    const fixture = await startRelay()
    await sendOnce(fixture)
    vi.stubEnv('SMSRELAY_PHONE_NAME', 'from env')
    onTestFinished(() => {
      vi.unstubAllEnvs()
    })
    await sendOnce(fixture)
    const { phones } = JSON.parse((await status(fixture, '--json')).stdout)
    const names = (phones as { name: string }[]).map(({ name }) => name)
    expect(names.sort()).toEqual(['from env', hostname()].sort())
  })

  it('does not warn about due messages during the quiet hours of a phone', async () => {
    const fixture = await startRelay()
    await send(fixture)
    const argv = ['--driver', 'simulate', '--no-journal', '--name', 'night', ...fixture.flags]
    const clock = (hours: number) => formatDateTime(Date.now() + hours * 3_600_000).slice(11, 16)
    const hours = ['--quiet', `${clock(-1)}-${clock(2)}`, '--time-zone', 'UTC']
    const phone = start(Phone, [...argv, ...hours], { env: fixture.env })
    const asleep = /^night +simulate +never +never +never +quiet until \d\d:\d\d UTC$/m
    await expect.poll(async () => (await status(fixture)).stdout).toMatch(asleep)
    expect(await status(fixture, '--max-age', '0s')).toMatchObject({ code: 0, stderr: '' })
    phone.signals.emit('SIGINT')
    expect(await phone.ended).toMatchObject({ code: 0 })
  })

  it('warns and exits with 6 if messages are due and there is no phone', async () => {
    const fixture = await startRelay()
    await send(fixture)
    const result = await status(fixture)
    expect(result).toMatchObject({ code: 6, stderr: '' })
    expect(result.stdout).toMatch(/^Warning: .*1 message /m)
    const json = await status(fixture, '--json')
    expect(json.code).toBe(6)
    expect(JSON.parse(json.stdout)).toMatchObject({
      relay: { url: fixture.relay.url },
      queue: { waiting: 1, due: 1, leased: 0 },
      phones: [],
      warnings: [{ code: 'no_phone' }],
    })
  })

  it('removes a phone with --forget', async () => {
    const fixture = await startRelay()
    await sendOnce(fixture, '--name', 'old')
    const result = await status(fixture, '--forget', 'old')
    expect(result).toMatchObject({ code: 0 })
    expect(result.stdout).not.toContain('simulate')
    expect(await status(fixture, '--forget', 'old')).toMatchObject({ code: 5 })
  })

  it('repeats with --watch until Ctrl-C', async () => {
    const fixture = await startRelay()
    const argv = [...fixture.flags, '--watch', '--every', '100ms', '--json']
    const running = start(Status, argv, { env: fixture.env })
    await running.waitForOutput('\n')
    await expect.poll(() => running.getOutput().split('\n').length).toBeGreaterThan(2)
    running.signals.emit('SIGINT')
    const result = await running.ended
    expect(result).toMatchObject({ code: 0, stderr: '' })
    for (const line of result.stdout.trim().split('\n')) {
      expect(JSON.parse(line)).toMatchObject({ warnings: [] })
    }
  })

  it('rejects invalid flags', async () => {
    const fixture = await startRelay()
    for (const wrong of [
      ['--every', '1s'],
      ['--max-age', 'soon'],
      ['--watch', '--every', 'x'],
      ['--watch', '--every', '0'],
    ]) {
      expect(await status(fixture, ...wrong)).toMatchObject({ code: 2, stdout: '' })
    }
    expect(
      await run(Phone, ['--driver', 'simulate', '--name', ' x', ...fixture.flags]),
    ).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--name'),
    })
  })

  it('names a relay that cannot be reached', async () => {
    const fixture = await startRelay()
    await fixture.relay.stop()
    const result = await status(fixture)
    expect(result).toMatchObject({ code: 1, stdout: '' })
    expect(result.stderr).toContain(fixture.relay.url)
  })
})
