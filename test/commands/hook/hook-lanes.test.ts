import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import HookCreate from '../../../commands/hook/create.js'
import HookDeliveries from '../../../commands/hook/deliveries.js'
import HookEdit from '../../../commands/hook/edit.js'
import HookGet from '../../../commands/hook/get.js'
import HookList from '../../../commands/hook/list.js'
import HookPause from '../../../commands/hook/pause.js'
import HookReplay from '../../../commands/hook/replay.js'
import HookResend from '../../../commands/hook/resend.js'
import HookResume from '../../../commands/hook/resume.js'
import HookSkip from '../../../commands/hook/skip.js'
import MessageSend from '../../../commands/message/send.js'
import { run, sharedService } from '../harness.js'

const shared = sharedService()

type Command = Parameters<typeof run>[0]

async function type(command: Command, ...argv: string[]) {
  return await run(command, [...argv, ...shared().flags], shared())
}

async function json(command: Command, ...argv: string[]) {
  return JSON.parse((await type(command, ...argv, '--json')).stdout)
}

/** A receiver on a free port. */
async function receiver(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A subscription whose receiver gave the answers one after the other, the last for ever; its first has arrived. */
async function failing(...answers: number[]): Promise<string> {
  let nth = 0
  const url = await receiver((request, response) => {
    request.resume()
    response.statusCode = answers[Math.min(nth, answers.length - 1)] ?? 200
    nth += 1
    response.setHeader('retry-after', '3600')
    response.end('so it is\n')
  })
  const { id } = await json(HookCreate, 'message.create', url)
  await json(MessageSend, '5551212', 'hi')
  await expect.poll(async () => await json(HookDeliveries, id), { timeout: 10_000 }).toHaveLength(1)
  return id
}

describe('pause, resume and on-exhausted', () => {
  it('show the state, for people and as JSON', async () => {
    const { id } = await json(
      HookCreate,
      'message.sent',
      'http://127.0.0.1:9/',
      '--on-exhausted=skip',
    )
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

  it('refuses another word', async () => {
    const ran = await type(HookCreate, 'message.sent', 'http://h/', '--on-exhausted', 'stop')
    expect(ran).toMatchObject({ code: 2, stdout: '' })
  })
})

describe('deliveries', () => {
  it('are a table for people and values for programs', async () => {
    const id = await failing(503)
    const [first] = await json(HookDeliveries, id, '--failed', '--count', '1')
    expect(first).toMatchObject({ attempt: 1, status: 503, ok: false, reply: 'so it is\n' })
    const { stdout } = await type(HookDeliveries, id)
    const [head = '', line = ''] = stdout.split('\n')
    expect(head.split(/ {2,}/)).toEqual([
      ...['AT (UTC)', 'SEQUENCE', 'EVENT', 'TRY', 'TOOK', 'RESULT', 'REPLY'],
    ])
    expect(line.split(/ {2,}/)).toEqual([
      ...[first.at, String(first.sequence), 'message.create', '1', `${first.ms} ms`, '503'],
      'so it is',
    ])
    expect(await json(HookDeliveries, id, '--before', first.id)).toEqual([])
  })

  it('says that there are none', async () => {
    const { id } = await json(HookCreate, 'message.sent', 'http://127.0.0.1:9/')
    const ran = await type(HookDeliveries, id)
    expect(ran).toMatchObject({ code: 0, stdout: '', stderr: 'There are no such attempts.\n' })
    expect((await type(HookDeliveries, id, '--json')).stdout).toBe('[]\n')
  })
})

describe('an event that fails', () => {
  it('is resent with what came of it, and exit code 1 where it failed', async () => {
    const id = await failing(503, 500, 200)
    const [{ sequence }] = await json(HookDeliveries, id)
    const failed = await type(HookResend, id, String(sequence), '--json')
    expect([failed.code, JSON.parse(failed.stdout)]).toMatchObject([1, { status: 500, ok: false }])
    const good = await type(HookResend, id, String(sequence))
    expect(good).toMatchObject({ code: 0, stderr: '' })
    expect(good.stdout).toMatch(/^result +200$/m)
    expect(await json(HookGet, id)).toMatchObject({ state: 'retrying' })
  })

  it('is skipped, and can be replayed', async () => {
    const id = await failing(503, 200)
    const [{ sequence }] = await json(HookDeliveries, id)
    const wrong = await type(HookSkip, id, '--sequence', String(sequence + 1))
    expect(wrong.code).toBe(1)
    expect(await json(HookSkip, id)).toMatchObject({ state: 'active', sequence })
    expect((await type(HookDeliveries, id)).stdout).toContain('Skipped by request. (given up)')
    await json(HookReplay, id, '--from', String(sequence))
    await expect
      .poll(async () => (await json(HookDeliveries, id))[0], { timeout: 10_000 })
      .toMatchObject({ sequence, ok: true, attempt: 1 })
  })
})

it.each([
  ['pause', HookPause, []],
  ['resume', HookResume, []],
  ['skip', HookSkip, []],
  ['replay', HookReplay, ['--from', '1']],
  ['deliveries', HookDeliveries, []],
  ['resend', HookResend, ['1']],
] as const)('%s ends with 5 where there is no such subscription', async (_, command, extra) => {
  const ran = await type(command, 'nope', ...extra, '--json')
  expect(ran.code).toBe(5)
  expect(JSON.parse(ran.stdout).error.code).toBe('not_a_subscription')
})

it.each([
  ['replay without --from', HookReplay, ['id']],
  ['replay from no number', HookReplay, ['id', '--from', 'x']],
  ['resend of no number', HookResend, ['id', 'x']],
  ['skip of no number', HookSkip, ['id', '--sequence', '-1']],
  ['no subscription', HookPause, []],
  ['a count of none', HookDeliveries, ['id', '--count', '0']],
] as const)('%s is a usage error', async (_, command, argv) => {
  expect((await type(command, ...argv, '--json')).code).toBe(2)
})
