import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import HookDeliveries from '../../commands/hook/deliveries.js'
import HookEvents from '../../commands/hook/events.js'
import MessageGet from '../../commands/message/get.js'
import MessageList from '../../commands/message/list.js'
import MessageLock from '../../commands/message/lock.js'
import MessageReceived from '../../commands/message/received.js'
import Status from '../../commands/status.js'
import Whoami from '../../commands/whoami.js'
import { eventNames } from '../../src/domain/webhook/event.js'
import { createClient, run, startSharedRelay } from './harness.js'

const shared = startSharedRelay()

async function createMessages(count: number): Promise<string[]> {
  const client = createClient(shared())
  const texts = Array.from({ length: count }, (_, n) => `text ${n}`)
  const ids: string[] = []
  for (const message of texts) {
    ids.push((await client.messages.create({ destination: '5551212', message })).id)
  }
  return ids.reverse()
}

it('every format shows the messages, and a note says how to get more', async () => {
  const [newest = '', older = ''] = await createMessages(3)
  const list = async (...argv: string[]) =>
    await run(MessageList, [...argv, ...shared().flags], shared())
  const note = 'More: --start 2\n'
  const two = ['--count', '2']
  expect(await list(...two, '-q')).toEqual({
    code: 0,
    stdout: `${newest}\n${older}\n`,
    stderr: note,
  })
  expect(await list(...two, '-o', 'csv', '--columns', 'id,message')).toMatchObject({
    stdout: `id,message\r\n${newest},text 2\r\n${older},text 1\r\n`,
    stderr: note,
  })
  expect(await list(...two, '--jq', '.[].message')).toMatchObject({ stdout: 'text 2\ntext 1\n' })
  for (const format of ['--json', '-ojson', '--output=json']) {
    const printed = await list(...two, format)
    expect([printed.stderr, printed.stdout.includes(newest)]).toEqual(['', true])
  }
  expect((await list('--count', '3')).stderr).toBe('')
  const got = await run(MessageGet, [newest, '-o', 'csv', ...shared().flags], shared())
  expect(got.stdout.split('\r\n')).toHaveLength(3)
  const shown = await run(MessageGet, [newest, ...shared().flags], shared())
  expect(shown.stdout).toMatch(/^id +\S+\nstatus +new\nsince +\S+ \S+ UTC\nto +5551212\n/)
})

it('received texts after the last one have a note', async () => {
  const { account, relay } = shared()
  const { RelayClient } = await import('../../src/index.js')
  const credentials = { user: account.secret_key, password: account.app_key }
  const phone = new RelayClient({ url: relay.url, credentials })
  for (const message of ['one', 'two']) await phone.receivedTexts.report({ from: 'ACME', message })
  const received = await run(MessageReceived, ['--count', '1', '-q', ...shared().flags], shared())
  expect(received.stderr).toBe(`More: --before ${received.stdout}`)
})

it('things with few columns have the same formats', async () => {
  const events = await run(HookEvents, ['-o', 'csv', ...shared().flags], shared())
  expect(events.stdout).toBe(`event\r\n${eventNames.join('\r\n')}\r\n`)
  const whoami = await run(Whoami, ['--jq', '.email', ...shared().flags], shared())
  expect(whoami.stdout).toBe('ann@example.com\n')
  const status = await run(Status, ['-o', 'csv', '--columns', 'name', ...shared().flags], shared())
  expect(status.stdout).toMatch(/^name\r\n/)
})

it.each([
  ['an unknown format', ['-o', 'xml'], {}, /-?-o/],
  ['an unknown column', ['--columns', 'id,stat'], {}, /there is no column "stat"/],
  ['an unknown column of a variable', [], { SMSRELAY_COLUMNS: 'x' }, /from SMSRELAY_COLUMNS/],
  ['an unknown format of a variable', [], { SMSRELAY_OUTPUT: 'x' }, /^smsrelay: SMSRELAY_OUTPUT/],
  ['an invalid jq program', ['--jq', '.['], {}, /--jq ".\[" is not a valid program/],
  ['two formats', ['-o', 'csv', '--ids'], {}, /--ids/],
  ['an invalid count of a variable', [], { SMSRELAY_MESSAGE_COUNT: '0' }, /MESSAGE_COUNT/],
] as const)('%s is a usage error before any request', async (_, argv, variables, message) => {
  let requests = 0
  const server = createServer((_request, response) => {
    requests += 1
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const { env, account } = shared()
  const keys = ['--secret-key', account.secret_key, '--api-key', account.api_key]
  const given = [...argv, '--url', `http://127.0.0.1:${port}`, ...keys]
  // oclif reads the environment of the process.
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  const ran = await run(MessageList, given, { env: { ...env, ...variables } })
  expect([ran.code, ran.stdout, requests]).toEqual([2, '', 0])
  expect(ran.stderr).toMatch(message)
})

it.each([
  [['-o', 'json', '--count', '0'], {}],
  [['--count', '0'], { SMSRELAY_OUTPUT: 'json' }],
])('errors with %j and %j are JSON with the flag as a field', async (argv, variables) => {
  const { env, flags } = shared()
  const ran = await run(HookDeliveries, ['id', ...argv, ...flags], {
    env: { ...env, ...variables },
  })
  expect([ran.code, ran.stderr]).toEqual([2, ''])
  expect(JSON.parse(ran.stdout).error).toMatchObject({ code: 'usage', flag: '--count' })
})

it('SMSRELAY_OUTPUT leaves commands without formats as they are', async () => {
  const { env, flags } = shared()
  const given = { env: { ...env, SMSRELAY_OUTPUT: 'json' } }
  const failed = await run(MessageLock, ['nope', ...flags], given)
  expect(failed).toMatchObject({ code: 5, stdout: '', stderr: expect.stringContaining('nope') })
})

it('a typed format wins over SMSRELAY_JSON, and --json over SMSRELAY_OUTPUT', async () => {
  const { env, flags } = shared()
  const list = async (argv: string[], variables: Record<string, string>) =>
    await run(HookEvents, [...argv, ...flags], { env: { ...env, ...variables } })
  expect((await list(['-o', 'csv'], { SMSRELAY_JSON: '1' })).stdout).toMatch(/^event\r\n/)
  expect((await list(['--json'], { SMSRELAY_OUTPUT: 'csv' })).stdout).toMatch(/^\[/)
})
