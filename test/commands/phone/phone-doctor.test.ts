import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import MessageSend from '../../../commands/message/send.js'
import PhoneDoctor from '../../../commands/phone/doctor.js'
import Phone from '../../../commands/phone.js'
import { type RelayFixture, run, start, startRelay, startSharedRelay } from '../harness.js'

const fixture = startSharedRelay()

async function runDoctor({ flags, env, dataDir }: RelayFixture, ...argv: string[]) {
  const journal = ['--journal', join(dataDir, '..', 'phone')]
  const given = argv.includes('--no-journal') ? argv : [...argv, ...journal]
  const ran = await run(PhoneDoctor, [...flags, ...given, '--json'], { env })
  const { ok, checks } = JSON.parse(ran.stdout)
  const get = (name: string) => checks.find((each: { check: string }) => each.check === name)
  return { code: ran.code, ok, get, ran }
}

describe('phone doctor', () => {
  it('all checks are ok, and the message stays for a phone', async () => {
    const own = await startRelay()
    await run(MessageSend, ['+12025550123', 'text', ...own.flags], own)
    const { code, ok, get } = await runDoctor(own, '--driver', 'simulate')
    expect({ code, ok }).toEqual({ code: 0, ok: true })
    for (const name of ['relay', 'clock', 'keys', 'journal', 'settings', 'rate', 'quiet hours']) {
      expect(get(name)).toMatchObject({ result: 'ok' })
    }
    const once = ['--driver', 'simulate', '--once', '--no-journal', '--json']
    expect((await run(Phone, [...once, ...own.flags], own)).stdout).toContain('"event":"sent"')
  })

  it('without --json prints the checks and what to fix', async () => {
    const { flags, env } = fixture()
    const argv = [
      ...flags,
      '--driver',
      'exec',
      '--option',
      'command=/nowhere/send-sms',
      '--no-journal',
    ]
    const ran = await run(PhoneDoctor, argv, { env })
    expect(ran.code).toBe(1)
    expect(ran.stdout).toMatch(/^ok +relay +http:.* \d+ ms\.$/m)
    expect(ran.stdout).toMatch(/^failed +exec +.* \/nowhere\/send-sms.*\n +→ .*chmod/m)
    expect(ran.stdout).toMatch(/^warning +journal .*\n +→ .*--no-journal/m)
  })

  it('without a relay, it continues with the other checks', async () => {
    const { dataDir, env } = fixture()
    const keys = ['--url', 'http://127.0.0.1:9', '--secret-key', 'a', '--app-key', 'b']
    const { code, get } = await runDoctor(
      { ...fixture(), flags: keys, dataDir, env },
      '--driver',
      'simulate',
    )
    expect(code).toBe(1)
    expect(get('relay')).toMatchObject({ result: 'failed', hint: expect.stringContaining('serve') })
    expect(get('settings').result).toBe('ok')
  })

  it('fails with an API key, and with wrong keys', async () => {
    const { relay, account } = fixture()
    const url = ['--url', relay.url, '--secret-key', account.secret_key]
    const api = { ...fixture(), flags: [...url, '--app-key', account.api_key] }
    expect((await runDoctor(api, '--driver', 'simulate')).get('keys')).toMatchObject({
      ...{ result: 'failed', detail: expect.stringContaining('API key') },
    })
    const wrong = { ...fixture(), flags: [...url, '--app-key', 'x'] }
    expect((await runDoctor(wrong, '--driver', 'simulate')).get('keys').result).toBe('failed')
  })

  it('warns about a running phone, and does not use its modem', async () => {
    const own = await startRelay()
    const journal = ['--journal', join(own.dataDir, '..', 'phone')]
    const phone = start(Phone, ['--driver', 'simulate', '--json', ...journal, ...own.flags], own)
    await phone.waitForOutput('"ready"')
    const modem = ['--driver', 'modem', '--option', 'device=tcp://127.0.0.1:9']
    const { get } = await runDoctor(own, ...modem)
    expect(get('journal')).toMatchObject({
      result: 'warning',
      detail: expect.stringContaining(journal[1] ?? ''),
    })
    expect(get('modem')).toMatchObject({ result: 'warning', hint: expect.any(String) })
    phone.signals.emit('SIGINT')
    await phone.ended
  })

  it('reports the health of each driver', async () => {
    const modem = ['--driver', 'a=modem', '--option', 'a.device=tcp://127.0.0.1:9']
    const { get } = await runDoctor(fixture(), ...modem, '--driver', 'b=simulate')
    expect(get('a')).toMatchObject({ result: 'failed', hint: expect.stringContaining('modem') })
    expect(get('b').result).toBe('warning')
  })

  it('warns about another time at the relay', async () => {
    const date = new Date(Date.now() + 90_000).toUTCString()
    const server = createServer((_, reply) => void reply.writeHead(404, { date }).end())
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const flags = ['--url', url, '--secret-key', 'a', '--app-key', 'b']
    const { get } = await runDoctor({ ...fixture(), flags }, '--driver', 'simulate')
    expect(get('clock')).toMatchObject({ result: 'warning', detail: /(89|90|91) s / })
  })

  it.each([
    ['settings', 'failed', ['--driver', 'modem']],
    ['settings', 'failed', []],
    ['rate', 'failed', ['--driver', 'simulate', '--rate', 'fast']],
    ['rate', 'warning', ['--driver', 'simulate', '--rate', '1/h', '--rate', '1000/d']],
    ['rate', 'ok', ['--driver', 'simulate', '--rate', '1/s', '--rate', '1000/d']],
    ['quiet hours', 'failed', ['--driver', 'simulate', '--quiet', 'mon-sun 00:00-24:00']],
    ['quiet hours', 'failed', ['--driver', 'simulate', '--quiet', '1:00-2:00', '--time-zone', 'x']],
  ])('the check %s is %s with %j', async (name, result, argv) => {
    expect((await runDoctor(fixture(), ...argv)).get(name).result).toBe(result)
  })
})
