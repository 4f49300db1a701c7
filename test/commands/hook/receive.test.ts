import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { request } from 'undici'
import { describe, expect, it, onTestFinished } from 'vitest'
import HookReceive from '../../../commands/hook/receive.js'
import HookTrigger from '../../../commands/hook/trigger.js'
import { signWebhook } from '../../../src/contract/webhook/webhook-signature.js'
import {
  type CommandResult,
  createClient,
  parseLines,
  type RelayFixture,
  type RunningCommand,
  run,
  start,
  startRelay,
} from '../harness.js'

// biome-ignore lint/suspicious/noExplicitAny: lines of several shapes
type Line = Record<string, any>

const lines = parseLines<Line>

async function receive(...argv: string[]): Promise<RunningCommand & { url: string }> {
  const running = start(HookReceive, [...argv, '--json'])
  onTestFinished(() => void running.signals.emit('SIGTERM'))
  await running.waitForOutput('"ready"')
  const url = String(lines(running.getOutput())[0]?.url)
  return { ...running, url }
}

async function end(running: RunningCommand): Promise<{ ran: CommandResult; end: Line }> {
  running.signals.emit('SIGINT')
  const ran = await running.ended
  return { ran, end: lines(ran.stdout).at(-1) ?? {} }
}

async function subscribe(fixture: RelayFixture, event: string, url: string): Promise<void> {
  await createClient(fixture).subscriptions.create({
    event: event as 'message.sent',
    url,
    method: 'PING',
  })
}

async function send(url: string, headers: Record<string, string>, id = 'm') {
  const body = JSON.stringify({ message: { id } })
  return await request(url, { method: 'POST', body, headers })
}

function at(sequence: number, previous: number) {
  return {
    'webhook-id': `evt_${sequence}_m`,
    'webhook-sequence': String(sequence),
    'webhook-previous': String(previous),
  }
}

describe('hook receive', () => {
  it('counts the webhooks of a relay for each subscription, and ends at --count', async () => {
    const fixture = await startRelay()
    const receiver = await receive('--count', '20')
    await subscribe(fixture, 'message.create', `${receiver.url}/created`)
    await subscribe(fixture, 'message.sent', `${receiver.url}/sent?x=1`)
    await run(HookTrigger, ['created-sent', '--count', '10', ...fixture.flags], fixture)
    const ran = await receiver.ended
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    const all = { refused: 0, reset: 0, doubled: 0, reordered: 0, lost: 0, unverified: 0 }
    const counts = { ...all, accepted: 10, unjudged: 0, shared: false }
    expect(lines(ran.stdout).at(-1)).toEqual({
      ...{ type: 'end', reason: 'count', hits: 20, strange: 0, accepted: 20, ...all },
      lanes: [
        { ...counts, lane: 'PING /created' },
        { ...counts, lane: 'PING /sent?x=1' },
      ],
    })
  })

  it('counts doubled, reordered and lost events, and ends with 1', async () => {
    const receiver = await receive()
    const url = `${receiver.url}/x`
    for (const [sequence, previous] of [
      [1, 0],
      [2, 1],
      [2, 1],
      [5, 4],
      [7, 5],
      [6, 5],
    ] as const)
      expect((await send(url, at(sequence, previous))).statusCode).toBe(200)
    const { ran, end: last } = await end(receiver)
    expect(ran.code).toBe(1)
    expect(last).toMatchObject({ accepted: 5, doubled: 1, reordered: 1, lost: 1 })
    const outcomes = lines(ran.stdout).flatMap(({ outcome = [] }) => outcome)
    expect(outcomes).toEqual([
      'accepted',
      'accepted',
      'doubled',
      'accepted',
      'accepted',
      'reordered',
    ])
  })

  it('without sequences the order is null, and other requests are strange', async () => {
    const receiver = await receive()
    for (const id of ['a', 'b', 'a']) await send(receiver.url, {}, id)
    expect((await request(receiver.url)).statusCode).toBe(400)
    const { ran, end: last } = await end(receiver)
    expect(ran.code).toBe(0)
    expect(last).toMatchObject({ accepted: 2, doubled: 1, reordered: null, lost: null, strange: 1 })
  })

  it('the same seed gives the same responses, another seed others', async () => {
    const receiveWith = async (seed: string) => {
      const receiver = await receive('--fail', '30%', '--reset', '0.2', '--seed', seed)
      for (let sequence = 1; sequence <= 60; sequence += 1)
        await send(`${receiver.url}/x`, at(sequence, sequence - 1)).catch(() => {})
      const { ran } = await end(receiver)
      return lines(ran.stdout).flatMap(({ type, status }) => (type === 'hit' ? [status] : []))
    }
    const first = await receiveWith('7')
    expect(new Set(first)).toEqual(new Set([200, 500, 503, 429, null]))
    expect(await receiveWith('7')).toEqual(first)
    expect(await receiveWith('8')).not.toEqual(first)
  })

  it('counts webhooks that were processed before a reset, and sends Retry-After', async () => {
    const resets = await receive('--reset', '1', '--seed', '7')
    for (let sequence = 1; sequence <= 20; sequence += 1)
      await send(`${resets.url}/x`, at(sequence, 0)).catch(() => {})
    const { end: last } = await end(resets)
    expect(last).toMatchObject({ hits: 20, reset: 20, refused: 0 })
    expect(last.accepted).toBeGreaterThan(3)
    expect(last.accepted).toBeLessThan(17)
    const fails = await receive('--fail', '1', '--seed', '7')
    for (let sequence = 1; sequence <= 9; sequence += 1) {
      const { statusCode, headers } = await send(`${fails.url}/x`, at(sequence, 0))
      expect(headers['retry-after']).toBe(statusCode === 500 ? undefined : '1')
    }
  })

  it('--count ends only after a response of 200', async () => {
    const receiver = await receive('--reset', '1', '--seed', '7', '--count', '1')
    for (let sequence = 1; sequence <= 10; sequence += 1)
      await send(`${receiver.url}/x`, at(sequence, 0)).catch(() => {})
    const { ran, end: last } = await end(receiver)
    expect(ran.code).toBe(130)
    expect(last).toMatchObject({ reason: 'stopped', hits: 10 })
  })

  it('responds with 401 to webhooks without a valid signature', async () => {
    const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`
    const receiver = await receive('--secret', secret)
    const signed = (seconds: number, sign: string) => {
      const timestamp = Math.floor(Date.now() / 1000) + seconds
      const content = { id: 'evt_1_m', timestamp, body: '{"message":{"id":"m"}}' }
      const signature = signWebhook(content, [sign]) ?? ''
      const more = { 'webhook-timestamp': String(timestamp), 'webhook-signature': signature }
      return send(receiver.url, { ...at(1, 0), ...more })
    }
    const other = `whsec_${Buffer.alloc(24, 2).toString('base64')}`
    expect((await signed(0, secret)).statusCode).toBe(200)
    expect((await signed(-1000, secret)).statusCode).toBe(401)
    expect((await signed(0, other)).statusCode).toBe(401)
    expect((await send(receiver.url, at(2, 1))).statusCode).toBe(401)
    const { end: last } = await end(receiver)
    expect(last).toMatchObject({ accepted: 1, unverified: 3, lost: 0 })
  })

  it('ends with 124 at --max-wait, and with 130 at a signal before --count', async () => {
    expect((await (await receive('--max-wait', '1ms')).ended).code).toBe(124)
    expect((await end(await receive('--count', '5'))).ran.code).toBe(130)
    expect((await end(await receive())).ran.code).toBe(0)
  })

  it('without --json it prints a table', async () => {
    const running = start(HookReceive, ['--seed', '7'])
    await running.waitForOutput('http://127.0.0.1:')
    running.signals.emit('SIGINT')
    const { stdout } = await running.ended
    expect(stdout.split('\n').slice(1)).toEqual([
      'ACCEPTED  REFUSED  RESET  DOUBLED  REORDERED  LOST  SUBSCRIPTION',
      '0         0        0      0        0          0     all 0',
      '',
    ])
  })

  it('a port that another program uses is an error', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise(resolve => server.once('listening', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const ran = await run(HookReceive, ['--port', String(port), '--json'])
    expect(ran.code).toBe(1)
    expect(lines(ran.stdout)[0]?.error.code).toBe('configuration')
  })

  it.each([
    [['--fail', '101%']],
    [['--fail', '60%', '--reset', '60%']],
    [['--fail', 'x']],
    [['--delay', 'x']],
    [['--count', '0']],
    [['--secret', 'x']],
    [['--secret', 'whsec_']],
  ])('%j is a usage error', async argv => {
    const ran = await run(HookReceive, [...argv, '--json'])
    expect(ran.code).toBe(2)
    expect(lines(ran.stdout)[0]?.error.code).toBe('usage')
  })
})
