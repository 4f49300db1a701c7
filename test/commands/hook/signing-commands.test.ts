import { describe, expect, it, onTestFinished, vi } from 'vitest'
import HookListen from '../../../commands/hook/listen.js'
import HookSecret from '../../../commands/hook/secret.js'
import HookCreate from '../../../commands/hook/subscription/create.js'
import MessageSend from '../../../commands/message/send.js'
import { type RelayFixture, run, start, startRelay, startSharedRelay } from '../harness.js'

const _other = 'whsec_c29tZSBvdGhlciBzZWNyZXQgZm9yIHRlc3Rz'

async function send({ flags, env }: RelayFixture): Promise<void> {
  const ran = await run(MessageSend, ['5551212', 'hi', ...flags, '--json'], { env })
  expect(ran.code).toBe(0)
}

async function _listenOnce(fixture: RelayFixture, ...extra: string[]): Promise<string> {
  const argv = ['--events', 'message.create', '--count', '1', ...extra, ...fixture.flags, '--json']
  const listening = start(HookListen, argv, fixture)
  await listening.waitForOutput('"ready"')
  await send(fixture)
  return (await listening.ended).stdout
}

describe('hook secret', () => {
  const shared = startSharedRelay()

  it('prints only the secret', async () => {
    const { flags } = shared()
    const ran = await run(HookSecret, flags, shared())
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).toMatch(/^whsec_[A-Za-z0-9+/]{32}\n$/)
    const secret = ran.stdout.trim()
    const asJson = await run(HookSecret, [...flags, '--json'], shared())
    expect(JSON.parse(asJson.stdout)).toEqual({ secret })
  })

  it('--rotate prints a new secret, which replaces the old one', async () => {
    const { flags } = shared()
    const before = await run(HookSecret, flags, shared())
    const rotated = await run(HookSecret, ['--rotate', ...flags], shared())
    expect(rotated).toMatchObject({ code: 0, stderr: expect.stringContaining('24 hours') })
    expect(rotated.stdout).toMatch(/^whsec_\S+\n$/)
    expect(rotated.stdout).not.toBe(before.stdout)
    expect((await run(HookSecret, flags, shared())).stdout).toBe(rotated.stdout)
  })
})

describe('hook listen --no-relay', () => {
  it('receives webhooks of any event, and refuses those with another signature', async () => {
    const fixture = await startRelay()
    const secret = (await run(HookSecret, fixture.flags, fixture)).stdout.trim()
    vi.stubEnv('SMSRELAY_EVENTS', 'message.sent')
    onTestFinished(() => void vi.unstubAllEnvs())
    const given = { env: { ...fixture.env, SMSRELAY_EVENTS: 'message.sent' } }
    const argv = ['--no-relay', '--secret', secret, '--count', '1', '--json']
    const listening = start(HookListen, argv, given)
    await listening.waitForOutput('"ready"')
    const { url } = JSON.parse(listening.getOutput())
    const forged = await fetch(url, { method: 'POST', body: '{"message":{"id":"x"}}' })
    expect(forged.status).toBe(401)
    await subscribe(fixture, { event: 'message.create', url: `${url}/x` })
    await send(fixture)
    const lines = (await listening.ended).stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(lines.map(({ type, problem }) => [type, problem])).toEqual([
      ['ready', undefined],
      ['refused', 'missing_header'],
      ['hit', undefined],
      ['end', undefined],
    ])
    expect(lines[2].message.id).toMatch(/^[\da-f-]{36}$/)
  })

  it.each([
    ['an invalid secret', ['--no-relay', '--secret', 'secret'], '--secret'],
    ['a flag of the relay', ['--no-relay', '--from', 'now'], '--from'],
  ])('%s is a usage error', async (_, argv, value) => {
    const ran = await run(HookListen, [...argv, '--json'])
    expect(ran.code).toBe(2)
    expect(JSON.parse(ran.stdout).error).toMatchObject({
      code: 'usage',
      message: expect.stringContaining(value),
    })
  })
})

async function subscribe(
  fixture: RelayFixture,
  draft: { event: string; url: string },
): Promise<void> {
  const ran = await run(HookCreate, [draft.event, draft.url, ...fixture.flags, '--json'], fixture)
  expect(ran.code).toBe(0)
}
