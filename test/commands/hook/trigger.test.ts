import { describe, expect, it } from 'vitest'
import HookTrigger from '../../../commands/hook/trigger.js'
import {
  createClient,
  parseLines,
  type Ran,
  run,
  type Service,
  start,
  startService,
} from '../harness.js'

type Line = Record<string, unknown> & { readonly message: { readonly id: string } }

function lines({ stdout }: Ran): Line[] {
  return parseLines<Line>(stdout)
}

async function trigger(service: Service, ...argv: string[]): Promise<Ran> {
  return await run(HookTrigger, [...argv, ...service.flags, '--json'], service)
}

describe('hook trigger', () => {
  it.each([
    ['message.create', ['message.create'], 'N'],
    ['message.sent', ['message.create', 'message.sent'], 'S'],
    ['created-sent', ['message.create', 'message.sent'], 'S'],
    ['create→failed', ['message.create', 'message.failed'], 'F'],
    ['create->blocked', ['message.create', 'message.blocked'], 'B'],
  ])('%s causes %j and leaves the message with status %s', async (name, events, status) => {
    const service = await startService()
    const ran = await trigger(service, name, '--seed', '7')
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    const printed = lines(ran)
    const end = { type: 'end', reason: 'count', messages: 1, events: events.length, seed: 7 }
    expect(printed.pop()).toEqual(end)
    expect(printed.map(line => line.event)).toEqual(events)
    const id = printed[0]?.message.id ?? ''
    const message = await createClient(service).messages.get(id)
    expect(message.status).toBe(status)
    expect(message.destination).toMatch(/555121[23]$/)
  })

  it('message.received creates a received text', async () => {
    const service = await startService()
    const ran = await trigger(service, 'message.received', '--seed', '7')
    const [line, end] = lines(ran) as unknown as { received: { id: string }; destination: string }[]
    expect(end).toMatchObject({ reason: 'count', messages: 1, events: 1 })
    const stored = await createClient(service).receivedTexts.get(line?.received.id ?? '')
    expect(stored).toMatchObject({ from: line?.destination, word: null })
    const { events } = await createClient(service).events.list()
    expect(events).toMatchObject([{ event: 'message.received', received: { id: stored.id } }])
  })

  it('the same seed gives the same events, another seed others', async () => {
    const service = await startService()
    const runWith = async (seed: string) => {
      const printed = lines(await trigger(service, '--mix', '--count', '12', '--seed', seed))
      return printed.map(({ event, lifecycle, destination }) => ({ event, lifecycle, destination }))
    }
    const first = await runWith('7')
    expect(new Set(first.map(({ lifecycle }) => lifecycle)).size).toBe(4)
    expect(await runWith('7')).toEqual(first)
    const others = (await runWith('8')).map(({ lifecycle }) => lifecycle)
    expect(others).not.toEqual(first.map(({ lifecycle }) => lifecycle))
  })

  it('removes the number from the Do Not Text list, unless it was there before', async () => {
    const service = await startService()
    const client = createClient(service)
    const [first] = lines(await trigger(service, 'message.blocked', '--seed', '7'))
    expect(await client.doNotText.list()).toEqual([])
    await client.doNotText.add(String(first?.destination))
    const [second] = lines(await trigger(service, 'message.blocked', '--seed', '7'))
    expect(second?.destination).toBe(first?.destination)
    expect(await client.doNotText.list()).toHaveLength(1)
  })

  it('a signal removes the number and ends with 130', async () => {
    const service = await startService()
    const argv = ['message.blocked', '--count', '100000', ...service.flags, '--json']
    const running = start(HookTrigger, argv, service)
    await running.untilPrinted('message.blocked')
    running.signals.emit('SIGINT')
    const ran = await running.ended
    expect(ran.code).toBe(130)
    expect(lines(ran).at(-1)).toMatchObject({ type: 'end', reason: 'stopped' })
    expect(await createClient(service).doNotText.list()).toEqual([])
  })

  it('changes no other message', async () => {
    const service = await startService()
    const client = createClient(service)
    const other = await client.messages.create({ destination: '+12025550123', message: 'not mine' })
    await trigger(service, '--mix', '--count', '5')
    expect(await client.messages.get(other.id)).toEqual(other)
  })

  it('a relay that stops ends it with 1 and the counts', async () => {
    const service = await startService()
    const argv = ['message.sent', '--count', '100000', '--timeout', '1s']
    const running = start(HookTrigger, [...argv, ...service.flags, '--json'], service)
    await running.untilPrinted('message.sent')
    await service.relay.stop()
    const ran = await running.ended
    expect(ran.code).toBe(1)
    const [end, error] = lines(ran).slice(-2)
    expect(end).toMatchObject({ type: 'end', reason: 'failed' })
    expect(error).toHaveProperty('error.code')
  })

  it('without --json lines are aligned, and a note has the counts and the seed', async () => {
    const service = await startService()
    const argv = ['created-blocked', '--seed', '7', ...service.flags]
    const ran = await run(HookTrigger, argv, service)
    const columns = ran.stdout
      .trimEnd()
      .split('\n')
      .map(line => line.indexOf('+999'))
    expect(columns).toEqual([29, 29])
    expect(ran.stderr).toMatch(/2 events.*1 message .*seed 7/)
  })

  it.each([
    [['message.gone']],
    [['created-gone']],
    [['created-']],
    [['message.sent', '--mix']],
    [['message.sent', '--count', '0']],
    [['message.sent', '--rate', '0/s']],
    [['message.sent', '--rate', '5/w']],
    [['message.sent', '--seed', '-1']],
    [[]],
  ])('%j is a usage error', async argv => {
    const ran = await run(HookTrigger, [...argv, '--url', 'http://127.0.0.1:9', '--json'], {})
    expect(ran.code).toBe(2)
    expect(JSON.parse(ran.stdout).error.code).toBe('usage')
  })
})
