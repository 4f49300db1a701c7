import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import MessageSend from '../../../commands/message/send.js'
import PhoneForget from '../../../commands/phone/forget.js'
import PhoneSetup from '../../../commands/phone/setup.js'
import PhoneSetups from '../../../commands/phone/setups.js'
import Phone from '../../../commands/phone.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { run, startRelay } from '../harness.js'

async function createHome() {
  return { env: { SMSRELAY_CONFIG_DIR: await temporaryFolder() } }
}

describe('phone setup', () => {
  it('phone --use runs a saved setup', async () => {
    const fixture = await startRelay()
    await run(MessageSend, ['+12025550123', 'text', ...fixture.flags], fixture)
    const flags = ['--driver', 'simulate', '--option', 'failure-rate=1', '--rate', '60/min']
    const saved = await run(PhoneSetup, ['bad', ...flags], fixture)
    expect(saved).toMatchObject({ code: 0, stdout: expect.stringContaining('failure-rate=1') })
    const journal = ['--journal', join(fixture.dataDir, '..', 'phone')]
    const use = ['--use', 'bad', '--once', '--json', ...journal, ...fixture.flags]
    expect((await run(Phone, use, fixture)).stdout).toContain('"event":"failed"')
  })

  it('a setup may have as many messages in flight as a phone', async () => {
    const given = await createHome()
    const save = async (count: string) =>
      (await run(PhoneSetup, ['fast', '--driver', 'simulate', '--concurrency', count], given)).code
    expect([await save('1000'), await save('1001')]).toEqual([0, 2])
  })

  it('setups are listed, shown without secrets, and removed', async () => {
    const given = await createHome()
    const flags = ['--driver', 'modem', '--option', 'device=tcp://h:1', '--option', 'pin=4711']
    await run(PhoneSetup, ['stick', ...flags], given)
    const listed = await run(PhoneSetups, ['--json'], given)
    expect(JSON.parse(listed.stdout)).toMatchObject([{ setup: 'stick', driver: ['modem'] }])
    const shown = await run(PhoneSetups, ['stick'], given)
    expect(shown.stdout).toContain('device=tcp://h:1')
    expect(listed.stdout + shown.stdout).not.toContain('4711')
    expect((await run(PhoneForget, ['stick'], given)).code).toBe(0)
    expect((await run(PhoneForget, ['stick'], given)).code).toBe(5)
    expect(JSON.parse((await run(PhoneSetups, ['--json'], given)).stdout)).toEqual([])
  })

  it.each([
    ['without a driver and without a terminal', ['x']],
    ['with an unknown option of the driver', ['x', '--driver', 'simulate', '--option', 'a=1']],
    ['with an invalid name', ['a b', '--driver', 'simulate']],
    ['without a name', ['--driver', 'simulate']],
  ])('%s is a usage error, and saves nothing', async (_, argv) => {
    const given = await createHome()
    expect((await run(PhoneSetup, argv, given)).code).toBe(2)
    expect((await run(PhoneSetups, ['--json'], given)).stdout).toBe('[]\n')
  })
})

it('a phone without a driver says how to choose one', async () => {
  const { code, stderr } = await run(Phone, [], await createHome())
  expect(code).toBe(2)
  expect(stderr).toContain('--driver is missing. Try --driver simulate')
  expect(stderr).toContain('smsrelay phone setup')
})
