import { describe, expect, it } from 'vitest'
import HookTrigger from '../../../commands/hook/trigger.js'
import {
  type CommandResult,
  createClient,
  parseLines,
  type RelayFixture,
  run,
  start,
  startRelay,
} from '../harness.js'

type Line = Record<string, unknown> & { readonly message: { readonly id: string } }

function lines({ stdout }: CommandResult): Line[] {
  return parseLines<Line>(stdout)
}

async function trigger(fixture: RelayFixture, ...argv: string[]): Promise<CommandResult> {
  return await run(HookTrigger, [...argv, ...fixture.flags, '--json'], fixture)
}

describe('hook trigger', () => {
  it.each([
    ['message.create', ['message.create'], 'N'],
    ['message.sent', ['message.create', 'message.sent'], 'S'],
    ['message.delivered', ['message.create', 'message.sent', 'message.delivered'], 'S'],
    ['message.undelivered', ['message.create', 'message.sent', 'message.undelivered'], 'S'],
    ['message.failed', ['message.create', 'message.failed'], 'F'],
    ['message.blocked', ['message.create', 'message.blocked'], 'B'],
  ])('%s causes %j and leaves the message with status %s', async (name, events, status) => {
    const fixture = await startRelay()
    const ran = await trigger(fixture, name)
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    const printed = lines(ran)
    const end = { type: 'end', reason: 'count', messages: 1, events: events.length }
    expect(printed.pop()).toEqual(end)
    expect(printed.map(line => line.event)).toEqual(events)
    const id = printed[0]?.message.id ?? ''
    const message = await createClient(fixture).messages.get(id)
    expect(message.status).toBe(status)
    expect(message.destination).toMatch(/555121[23]$/)
  })

  it('message.received creates a received text', async () => {
    const fixture = await startRelay()
    const ran = await trigger(fixture, 'message.received')
    const [line, end] = lines(ran) as unknown as { received: { id: string }; destination: string }[]
    expect(end).toMatchObject({ reason: 'count', messages: 1, events: 1 })
    const stored = await createClient(fixture).receivedTexts.get(line?.received.id ?? '')
    expect(stored).toMatchObject({ from: line?.destination, word: null })
    const { events } = await createClient(fixture).events.list()
    expect(events).toMatchObject([{ event: 'message.received', received: { id: stored.id } }])
  })

  it('removes the number from the Do Not Text list', async () => {
    const fixture = await startRelay()
    const [first] = lines(await trigger(fixture, 'message.blocked'))
    expect(first?.destination).toMatch(/^\+999\d{5}5551212$/)
    expect(await createClient(fixture).doNotText.list()).toEqual([])
  })

  it('a signal removes the number and ends with 130', async () => {
    const fixture = await startRelay()
    const argv = ['message.blocked', '--count', '100000', ...fixture.flags, '--json']
    const running = start(HookTrigger, argv, fixture)
    await running.waitForOutput('message.blocked')
    running.signals.emit('SIGINT')
    const ran = await running.ended
    expect(ran.code).toBe(130)
    expect(lines(ran).at(-1)).toMatchObject({ type: 'end', reason: 'stopped' })
    expect(await createClient(fixture).doNotText.list()).toEqual([])
  })

  it('changes no other message', async () => {
    const fixture = await startRelay()
    const client = createClient(fixture)
    const other = await client.messages.create({ destination: '+12025550123', message: 'not mine' })
    await trigger(fixture, 'message.failed', '--count', '5')
    expect(await client.messages.get(other.id)).toEqual(other)
  })

  it('a relay that stops ends it with 1 and the counts', async () => {
    const fixture = await startRelay()
    const argv = ['message.sent', '--count', '100000', '--timeout', '1s']
    const running = start(HookTrigger, [...argv, ...fixture.flags, '--json'], fixture)
    await running.waitForOutput('message.sent')
    await fixture.relay.stop()
    const ran = await running.ended
    expect(ran.code).toBe(1)
    const [end, error] = lines(ran).slice(-2)
    expect(end).toMatchObject({ type: 'end', reason: 'failed' })
    expect(error).toHaveProperty('error.code')
  })

  it('without --json lines are aligned, and a note has the counts', async () => {
    const fixture = await startRelay()
    const argv = ['message.blocked', ...fixture.flags]
    const ran = await run(HookTrigger, argv, fixture)
    const columns = ran.stdout
      .trimEnd()
      .split('\n')
      .map(line => line.indexOf('+999'))
    expect(columns).toEqual([29, 29])
    expect(ran.stderr).toMatch(/2 events.*1 message\./)
  })

  it.each([
    [['message.gone']],
    [['number.blocked']],
    [['message.sent', '--count', '0']],
    [['message.sent', '--rate', '0/s']],
    [['message.sent', '--rate', '5/w']],
    [[]],
  ])('%j is a usage error', async argv => {
    const ran = await run(HookTrigger, [...argv, '--url', 'http://127.0.0.1:9', '--json'], {})
    expect(ran.code).toBe(2)
    expect(JSON.parse(ran.stdout).error.code).toBe('usage')
  })
})
