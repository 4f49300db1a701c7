import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import HookDeliveries from '../../../commands/hook/deliveries.js'
import HookEvents from '../../../commands/hook/events.js'
import HookReplay from '../../../commands/hook/replay.js'
import HookResend from '../../../commands/hook/resend.js'
import HookSecret from '../../../commands/hook/secret.js'
import HookSkip from '../../../commands/hook/skip.js'
import HookCreate from '../../../commands/hook/subscription/create.js'
import HookDelete from '../../../commands/hook/subscription/delete.js'
import HookEdit from '../../../commands/hook/subscription/edit.js'
import HookGet from '../../../commands/hook/subscription/get.js'
import HookList from '../../../commands/hook/subscription/list.js'
import HookPause from '../../../commands/hook/subscription/pause.js'
import HookResume from '../../../commands/hook/subscription/resume.js'
import HookTest from '../../../commands/hook/test.js'
import MessageSend from '../../../commands/message/send.js'
import { run, startSharedRelay } from '../harness.js'

const shared = startSharedRelay()

type Command = Parameters<typeof run>[0]

async function type(command: Command, ...argv: string[]) {
  return await run(command, [...argv, ...shared().flags], shared())
}

async function json(command: Command, ...argv: string[]) {
  return JSON.parse((await type(command, ...argv, '--json')).stdout)
}

async function openServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/**
 * Creates a subscription whose receiver responds with these statuses in turn, then always with the
 * last. Its first webhook has been sent, and a retry would come after an hour.
 */
async function subscribeFailing(...statuses: number[]): Promise<string> {
  let nth = 0
  const url = await openServer((request, response) => {
    request.resume()
    response.statusCode = statuses[Math.min(nth, statuses.length - 1)] ?? 200
    nth += 1
    response.setHeader('retry-after', '3600')
    response.end('no space left\n')
  })
  const { id } = await json(HookCreate, 'message.create', url)
  await json(MessageSend, '5551212', 'hi')
  await expect.poll(async () => await json(HookDeliveries, id)).toHaveLength(1)
  return id
}

describe('subscriptions', () => {
  it('hook events prints the names of the events', async () => {
    const events = [
      ...['message.create', 'message.sent', 'message.failed', 'message.blocked'],
      'message.received',
      'number.blocked',
      'number.unblocked',
      ...['subscription.paused', 'subscription.resumed'],
      ...['message.delivered', 'message.undelivered'],
      ...['person.signed_in', 'person.sign_in_refused'],
    ]
    expect(await json(HookEvents)).toEqual(events)
    expect((await type(HookEvents)).stdout).toBe(`${events.join('\n')}\n`)
  })

  it('create, list, get, edit and delete print the subscription', async () => {
    const url = 'http://127.0.0.1:9/x'
    const created = await json(HookCreate, 'message.sent', url, '--method', 'PUT', '--post')
    expect(Object.keys(created)).toEqual([
      ...['id', 'event', 'url', 'method', 'post', 'stat_triggered'],
      ...['on_exhausted', 'state', 'sequence', 'window'],
    ])
    expect(created).toMatchObject({ event: 'message.sent', method: 'PUT', post: true })
    expect(await json(HookList)).toEqual([created])
    expect(await json(HookGet, created.id)).toEqual(created)
    const edited = await json(HookEdit, created.id, '--no-post', '--to', 'http://127.0.0.1:9/y')
    expect(edited).toEqual({ ...created, post: false, url: 'http://127.0.0.1:9/y' })
    expect(await json(HookDelete, created.id)).toEqual({ id: created.id })
    expect(await json(HookList)).toEqual([])
  })

  it('--header adds, changes and removes header fields, and shows no value', async () => {
    const headers = ['--header', 'Authorization: Bearer a:b', '--header=X-Team:ops']
    const created = await json(HookCreate, 'message.sent', 'http://127.0.0.1:9/', ...headers)
    expect(created.header_names).toEqual(['Authorization', 'X-Team'])
    const edited = await type(HookEdit, created.id, '--header', 'x-team:', '--header', 'X-New: 1')
    expect(edited.stdout).toMatch(/^headers +Authorization, X-New$/m)
    const wrong = await type(HookEdit, created.id, '--header', 'Bearer secret')
    expect(wrong).toMatchObject({ code: 2, stdout: '' })
    expect(wrong.stderr).toContain('--header "Authorization: Bearer SECRET"')
    expect(wrong.stderr).not.toContain('Bearer secret')
    await json(HookDelete, created.id)
  })

  it('pause, resume and --on-exhausted change the state and how it is shown', async () => {
    const url = 'http://127.0.0.1:9/'
    const { id } = await json(HookCreate, 'message.sent', url, '--on-exhausted=skip')
    expect(await json(HookPause, id)).toMatchObject({
      ...{ id, state: 'paused', paused_because: 'request', on_exhausted: 'skip' },
    })
    const shown = (await type(HookGet, id)).stdout
    expect(shown).toMatch(/^state +paused \(by request\)$/m)
    expect(shown).toMatch(/^on exhausted +skip$/m)
    const listed = (await type(HookList)).stdout.split('\n')
    expect(listed.find(line => line.startsWith(id))).toContain('paused')
    expect(await json(HookResume, id)).toMatchObject({ state: 'active' })
    expect(await json(HookEdit, id, '--on-exhausted', 'pause')).toMatchObject({
      on_exhausted: 'pause',
    })
  })

  it('--window and --retry-schedule change how webhooks are sent', async () => {
    const flags = ['--window', '4', '--retry-schedule', '5s,1m,1h']
    const { id } = await json(HookCreate, 'message.sent', 'http://127.0.0.1:9/', ...flags)
    const shown = (await type(HookGet, id)).stdout
    expect(shown).toMatch(/^window +4$/m)
    expect(shown).toMatch(/^retry schedule +5s,60s,3600s$/m)
    const edited = await json(HookEdit, id, '--window', '1', '--retry-schedule', 'default')
    expect(edited).toMatchObject({ window: 1 })
    expect(edited).not.toHaveProperty('retry_schedule')
  })
})

describe('a subscription', () => {
  it('can have its own secret, which can be replaced and removed', async () => {
    const { id } = await json(HookCreate, 'message.sent', 'http://127.0.0.1:9/')
    const secret = async (...flags: string[]) =>
      await json(HookSecret, '--subscription', id, ...flags)
    const shared = await secret()
    expect(shared).toMatchObject({ own: false })
    const own = await secret('--rotate')
    expect(own).toMatchObject({ own: true })
    expect((await type(HookSecret, '--subscription', id)).stdout).toBe(`${own.secret}\n`)
    expect((await type(HookGet, id)).stdout).toMatch(/^secret +its own$/m)
    expect(await secret('--remove')).toEqual(shared)
  })

  it('test shows the reply, and ends with 1 if the receiver failed', async () => {
    const id = await subscribeFailing(503)
    const tested = await type(HookTest, id, '--json')
    expect(tested.code).toBe(1)
    expect(JSON.parse(tested.stdout)).toMatchObject({ ok: false, status: 503 })
    expect((await type(HookTest, id)).stdout).toMatch(/^result +503$/m)
  })
})

describe('deliveries', () => {
  it('are a table, or JSON with the whole response body', async () => {
    const id = await subscribeFailing(503)
    const [first] = await json(HookDeliveries, id, '--failed', '--count', '1')
    expect(first).toMatchObject({ attempt: 1, status: 503, ok: false, reply: 'no space left\n' })
    const { stdout } = await type(HookDeliveries, id)
    const [head = '', line = ''] = stdout.split('\n')
    expect(head.split(/ {2,}/)).toHaveLength(7)
    expect(line.split(/ {2,}/)).toEqual([
      ...[first.at, String(first.sequence), 'message.create', '1', `${first.ms} ms`, '503'],
      'no space left',
    ])
    expect(await json(HookDeliveries, id, '--before', first.id)).toEqual([])
  })

  it('an empty list is a note on stderr, or an empty JSON array', async () => {
    const { id } = await json(HookCreate, 'message.sent', 'http://127.0.0.1:9/')
    const ran = await type(HookDeliveries, id)
    expect(ran).toMatchObject({ code: 0, stdout: '', stderr: expect.stringMatching(/.\n$/) })
    expect((await type(HookDeliveries, id, '--json')).stdout).toBe('[]\n')
  })
})

describe('an event that failed', () => {
  it('resend shows the result, and ends with 1 if it failed again', async () => {
    const id = await subscribeFailing(503, 500, 200)
    const [{ sequence }] = await json(HookDeliveries, id)
    const failed = await type(HookResend, id, String(sequence), '--json')
    expect([failed.code, JSON.parse(failed.stdout)]).toMatchObject([1, { status: 500, ok: false }])
    const good = await type(HookResend, id, String(sequence))
    expect(good).toMatchObject({ code: 0, stderr: '' })
    expect(good.stdout).toMatch(/^result +200$/m)
    expect(await json(HookGet, id)).toMatchObject({ state: 'retrying' })
  })

  it('skip continues after it, and replay delivers it again', async () => {
    const id = await subscribeFailing(503, 200)
    const [{ sequence }] = await json(HookDeliveries, id)
    const wrong = await type(HookSkip, id, '--sequence', String(sequence + 1))
    expect(wrong.code).toBe(1)
    expect(await json(HookSkip, id)).toMatchObject({ state: 'active', sequence })
    const [skipped] = await json(HookDeliveries, id)
    expect(skipped).toMatchObject({ sequence, status: null, ok: false, dead: true })
    await json(HookReplay, id, '--from', String(sequence))
    await expect
      .poll(async () => (await json(HookDeliveries, id))[0])
      .toMatchObject({ sequence, ok: true, attempt: 1 })
  })
})

it.each([
  ['get', HookGet, []],
  ['edit', HookEdit, ['--post']],
  ['delete', HookDelete, []],
  ['pause', HookPause, []],
  ['resume', HookResume, []],
  ['skip', HookSkip, []],
  ['replay', HookReplay, ['--from', '1']],
  ['deliveries', HookDeliveries, []],
  ['resend', HookResend, ['1']],
] as const)('%s of an unknown subscription ends with 5', async (_, command, extra) => {
  const ran = await type(command, 'nope', ...extra, '--json')
  expect(ran.code).toBe(5)
  expect(JSON.parse(ran.stdout).error.code).toBe('not_a_subscription')
})

it.each([
  ['edit without a change', HookEdit, ['id']],
  ['replay without --from', HookReplay, ['id']],
  ['replay with a --from that is not a number', HookReplay, ['id', '--from', 'x']],
  ['resend of a sequence that is not a number', HookResend, ['id', 'x']],
  ['skip of a negative sequence', HookSkip, ['id', '--sequence', '-1']],
  ['pause without a subscription', HookPause, []],
  ['deliveries with --count 0', HookDeliveries, ['id', '--count', '0']],
  ['a window of 33', HookCreate, ['message.sent', 'http://h', '--window', '33']],
  ['an invalid delay', HookCreate, ['message.sent', 'http://h', '--retry-schedule', '5s,x']],
  ['an unknown --on-exhausted', HookCreate, ['message.sent', 'http://h', '--on-exhausted', 'stop']],
] as const)('%s is a usage error', async (_, command, argv) => {
  const ran = await type(command, ...argv, '--json')
  expect(ran.code).toBe(2)
  expect(JSON.parse(ran.stdout).error.code).toBe('usage')
})
