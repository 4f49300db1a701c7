import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import MessageSend from '../../../commands/message/send.js'
import Phone from '../../../commands/phone.js'
import type { MessageFields } from '../../../src/index.js'
import { openFileJournal } from '../../../src/phone/journal/file-journal.js'
import {
  createClient,
  parseLines,
  type Ran,
  run,
  type Service,
  start,
  startService,
} from '../harness.js'

describe('phone', () => {
  it('sends one message with --once and prints its events', async () => {
    const service = await startService()
    await send(service, '+12025550123')
    const ran = await phone(service, '--driver', 'simulate', '--once').ended
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(eventsOf(ran)).toEqual(['ready', 'took', 'sent', 'end'])
    expect(ran.stdout).not.toContain('secret text')
  })

  it('--once ends at once if no message is due', async () => {
    const service = await startService()
    const ran = await phone(service, '--driver', 'simulate', '--once').ended
    expect(ran.code).toBe(0)
    expect(eventsOf(ran).at(-1)).toBe('end')
  })

  it('runs a program with --driver exec', async () => {
    const service = await startService()
    await send(service, '+12025550123')
    const command = `${process.execPath} -e "console.error('no signal');process.exit(1)" --`
    const ran = await phone(service, '--driver', 'exec', '--command', command, '--once').ended
    expect(ran.stdout).toContain('"error":"no signal"')
  })

  it('a signal ends it with 0', async () => {
    const service = await startService()
    const running = phone(service, '--driver', 'simulate')
    await running.untilPrinted('"ready"')
    running.signals.emit('SIGINT')
    const ran = await running.ended
    expect(ran.code).toBe(0)
    expect(eventsOf(ran).slice(-2)).toEqual(['stopping', 'end'])
  })

  it('a second signal gives up the message in progress and ends with 130', async () => {
    const service = await startService()
    await send(service, '+12025550123')
    const running = phone(service, '--driver', 'simulate', '--delay', '10m')
    await running.untilPrinted('"took"')
    running.signals.emit('SIGINT')
    await running.untilPrinted('"stopping"')
    running.signals.emit('SIGINT')
    expect((await running.ended).code).toBe(130)
  })

  it('after a kill it reports a sent message and does not send it again', async () => {
    const service = await startService()
    await send(service, '+12025550123')
    const directory = join(service.dataDir, '..', 'phone')
    const journal = await openFileJournal(directory, {
      credentials: { user: service.account.secret_key, password: service.account.app_key },
    })
    const [message] = await createClient(service).messages.list()
    await journal.worker(0).begin(message as MessageFields, 'key')
    await journal
      .worker(0)
      .record({ id: message?.id ?? '', key: 'key' }, { result: 'sent', parts: 1 })
    await journal[Symbol.asyncDispose]()
    const ran = await phone(service, '--driver', 'simulate', '--failure-rate', '1', '--once').ended
    expect(eventsOf(ran)).toEqual(['resumed', 'sent', 'ready', 'idle', 'end'])
  })

  it('--concurrency sends several messages at the same time', async () => {
    const service = await startService()
    for (const digit of [1, 2, 3]) await send(service, `+1202555013${digit}`)
    const running = phone(service, '--driver', 'simulate', '--concurrency', '3')
    await running.untilPrinted('"idle"')
    running.signals.emit('SIGINT')
    const ran = await running.ended
    expect(eventsOf(ran).filter(each => each === 'sent')).toHaveLength(3)
    expect(eventsOf(ran).filter(each => each === 'ready')).toHaveLength(1)
  })

  it('--rate also applies after a restart', async () => {
    const service = await startService()
    for (const digit of [1, 2, 3]) await send(service, `+1202555013${digit}`)
    const paced = ['--driver', 'simulate', '--rate', '1/s', '--rate', '2/d']
    const running = phone(service, ...paced)
    await running.untilPrinted('"paced"')
    running.signals.emit('SIGINT')
    expect(eventsOf(await running.ended).filter(each => each === 'sent')).toHaveLength(2)
    const again = await phone(service, ...paced, '--once').ended
    expect(again.stdout).toContain('"limit":"2/d"')
    expect(eventsOf(again)).toEqual(['paced', 'end'])
  })

  it('sends through several drivers', async () => {
    const service = await startService()
    await send(service, '+12025550130')
    await send(service, '+4915112345678')
    const several = ['--driver', 'a=simulate', '--driver', 'b=simulate', '--route', '+49=b']
    const rest = ['--route', '*=a,b', '--option', 'a.failure-rate=1', '--option', 'b.seed=1']
    const running = phone(service, ...several, ...rest)
    await running.untilPrinted('"idle"')
    running.signals.emit('SIGINT')
    const ran = await running.ended
    expect(ran.stdout).toContain('"driver":"a,b"')
    expect(eventsOf(ran).filter(each => each === 'sent')).toHaveLength(2)
  })

  it('uses the driver of the environment', async () => {
    const service = await startService()
    vi.stubEnv('SMSRELAY_DRIVER', 'simulate')
    onTestFinished(() => void vi.unstubAllEnvs())
    const flags = ['--once', '--json', ...journalOf(service), ...service.flags]
    expect(await start(Phone, flags, service).ended).toMatchObject({ code: 0 })
  })

  it('fetches no message in quiet hours', async () => {
    const service = await startService()
    await send(service, '+12025550130')
    const now = new Date()
    const hours = `${now.getUTCHours()}:00-${(now.getUTCHours() + 2) % 24}:00`
    const quiet = ['--driver', 'simulate', '--quiet', hours, '--time-zone', 'UTC']
    const running = phone(service, ...quiet)
    await running.untilPrinted('"quiet"')
    running.signals.emit('SIGINT')
    expect(eventsOf(await running.ended)).toEqual(['quiet', 'stopping', 'end'])
  })

  it('the journal of a running phone cannot be used', async () => {
    const service = await startService()
    const running = phone(service, '--driver', 'simulate')
    await running.untilPrinted('"ready"')
    const other = await phone(service, '--driver', 'simulate').ended
    expect(other.code).toBe(1)
    expect(JSON.parse(other.stdout).error).toMatchObject({
      code: 'directory_in_use',
      message: expect.stringContaining('--journal'),
    })
    const without = phone(service, '--driver', 'simulate', '--once', '--no-journal')
    expect(await without.ended).toMatchObject({ code: 0 })
    running.signals.emit('SIGINT')
    await running.ended
  })

  it('wrong keys end it with 4', async () => {
    const { relay } = await startService()
    const keys = ['--url', relay.url, '--secret-key', 'a', '--app-key', 'b']
    const ran = await run(Phone, ['--driver', 'simulate', '--no-journal', ...keys, '--json'])
    expect(ran.code).toBe(4)
  })

  it.each([
    ['no driver', []],
    ['an unknown driver', ['--driver', 'pigeon']],
    ['exec without a command', ['--driver', 'exec']],
    ['an option of another driver', ['--driver', 'exec', '--command', 'x', '--seed', '1']],
    ['an option without a value', ['--driver', 'simulate', '--option', 'seed']],
    ['a concurrency of 0', ['--driver', 'simulate', '--concurrency', '0']],
    ['too much concurrency', ['--driver', 'simulate', '--concurrency', '65']],
    ['--once with --concurrency', ['--driver', 'simulate', '--concurrency', '2', '--once']],
    ['a rate without a time', ['--driver', 'simulate', '--rate', '30']],
    ['invalid quiet hours', ['--driver', 'simulate', '--quiet', 'night']],
    ['an unknown time zone', ['--driver', 'simulate', '--quiet', '1:00-2:00', '--time-zone', 'x']],
    ['a time zone without quiet hours', ['--driver', 'simulate', '--time-zone', 'UTC']],
    ['several drivers without names', ['--driver', 'simulate', '--driver', 'exec']],
    ['a route without names', ['--driver', 'simulate', '--route', '*=simulate']],
    ['an invalid time', ['--driver', 'simulate', '--delay', 'soon']],
  ])('%s is a usage error', async (_, argv) => {
    const ran = await run(Phone, [...argv, '--url', 'http://127.0.0.1:9', '--json'])
    expect(ran.code).toBe(2)
    expect(JSON.parse(ran.stdout).error.code).toBe('usage')
  })
})

async function send(service: Service, destination: string): Promise<void> {
  const ran = await run(MessageSend, [destination, 'secret text', ...service.flags], service)
  expect(ran.code).toBe(0)
}

function phone(service: Service, ...argv: string[]) {
  const given = argv.some(each => each.includes('journal'))
    ? argv
    : [...argv, ...journalOf(service)]
  return start(Phone, [...given, ...service.flags, '--json'], service)
}

function journalOf({ dataDir }: Service): string[] {
  return ['--journal', join(dataDir, '..', 'phone')]
}

function eventsOf({ stdout }: Ran): unknown[] {
  return parseLines(stdout).map(line => line.event)
}
