import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import HookListen from '../../../commands/hook/listen.js'
import HookSecret from '../../../commands/hook/secret.js'
import HookCreate from '../../../commands/hook/subscription/create.js'
import HookVerify from '../../../commands/hook/verify.js'
import MessageSend from '../../../commands/message/send.js'
import { createWebhookRequest } from '../../../src/contract/webhook/webhook-request.js'
import { openSink } from '../../server/webhooks/sink.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { type RelayFixture, run, start, startRelay, startSharedRelay } from '../harness.js'

const other = 'whsec_c29tZSBvdGhlciBzZWNyZXQgZm9yIHRlc3Rz'

async function send({ flags, env }: RelayFixture): Promise<void> {
  const ran = await run(MessageSend, ['5551212', 'hi', ...flags, '--json'], { env })
  expect(ran.code).toBe(0)
}

async function listenOnce(fixture: RelayFixture, ...extra: string[]): Promise<string> {
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

describe('hook verify', () => {
  it('the output of hook listen is valid with the secret of the account', async () => {
    const fixture = await startRelay()
    for (const how of ['--post', '--no-post']) {
      const stdin = await listenOnce(fixture, how)
      const ran = await run(HookVerify, [...fixture.flags, '--json'], { ...fixture, stdin })
      expect(ran.code, ran.stdout).toBe(0)
      expect(JSON.parse(ran.stdout)).toMatchObject({ valid: true, sequence: expect.any(Number) })
    }
  })

  it('a raw request in a file is checked with --secret, without a relay', async () => {
    const fixture = await startRelay()
    const sink = await openSink()
    const draft = { event: 'message.create', url: `${sink.url}/x?y=z` }
    await subscribe(fixture, draft)
    await send(fixture)
    await sink.arrived(1)
    const file = join(await temporaryFolder(), 'webhook.txt')
    await writeFile(file, sink.requests[0] ?? '', 'latin1')
    const secret = (await run(HookSecret, fixture.flags, fixture)).stdout.trim()
    const ran = await run(HookVerify, [file, '--secret', secret])
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).toMatch(/^Valid: evt_1_\S+, .*20\S+Z/)
    const wrong = await run(HookVerify, [file, '--secret', other, '--json'])
    expect(wrong.code).toBe(1)
    expect(JSON.parse(wrong.stdout)).toMatchObject({ valid: false, problem: 'other_secret' })
    const human = await run(HookVerify, [file, '--secret', other])
    expect(human).toMatchObject({ code: 1, stdout: expect.stringMatching(/^Not valid/) })
  })

  it('one invalid webhook of several ends with 1', async () => {
    const fixture = await startRelay()
    const good = await listenOnce(fixture, '--post')
    const bad = good.replace(/\\"id\\":\\"[^\\]*/, '\\"id\\":\\"x')
    const argv = [...fixture.flags, '--json']
    const ran = await run(HookVerify, argv, { ...fixture, stdin: good + bad })
    expect(ran.code).toBe(1)
    const checks = ran.stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(checks).toMatchObject([{ valid: true }, { valid: false, problem: 'changed_data' }])
  })

  it('--tolerance limits the age, and 0 permits any', async () => {
    const how = { url: 'http://h/', method: 'POST', post: true }
    const event = { seq: 1, event: 'message.create', message: 'm1' } as const
    const stamp = { previous: 0, from: 'smsrelay', secrets: [other], timestamp: 1_000_000_000 }
    const { headers, body } = createWebhookRequest(event, how, stamp)
    const stdin = JSON.stringify({ headers, body })
    const verify = async (tolerance: string) => {
      const argv = ['--secret', other, '--json', '--tolerance', tolerance]
      return JSON.parse((await run(HookVerify, argv, { stdin })).stdout)
    }
    expect(await verify('0')).toMatchObject({ valid: true, signed_at: '2001-09-09T01:46:40.000Z' })
    expect(await verify('5m')).toMatchObject({ valid: false, problem: 'too_old' })
    expect(await verify('soon')).toMatchObject({ error: { code: 'usage' } })
  })

  it.each<[string, string[], string]>([
    ['a file that does not exist', ['/no/such/file', '--secret', other], '/no/such/file'],
    ['a pipe with another text', ['--secret', other], 'request line'],
    ['an invalid secret', ['--secret', 'secret'], '--secret'],
  ])('%s is a usage error', async (name, argv, value) => {
    const webhook = '{"headers":{},"url":"/"}'
    const stdin = name === 'an invalid secret' ? webhook : 'hello'
    const ran = await run(HookVerify, [...argv, '--json'], { stdin })
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
