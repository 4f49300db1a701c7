import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import MessageSend from '../../../commands/message/send.js'
import Phone from '../../../commands/phone.js'
import type { MessageFields } from '../../../src/index.js'
import { openFileJournal } from '../../../src/phone/journal/file-journal.js'
import {
  type CommandResult,
  createClient,
  parseLines,
  type RelayFixture,
  run,
  start,
  startRelay,
} from '../harness.js'

describe('phone', () => {
  it('sends one message with --once and prints its events', async () => {
    const fixture = await startRelay()
    await send(fixture, '+12025550123')
    const ran = await phone(fixture, '--driver', 'simulate', '--once').ended
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(getEventNames(ran)).toEqual(['ready', 'took', 'sent', 'end'])
    expect(ran.stdout).not.toContain('secret text')
  })

  it('--once ends at once with 7 if no message is due', async () => {
    const fixture = await startRelay()
    const ran = await phone(fixture, '--driver', 'simulate', '--once').ended
    expect(ran.code).toBe(7)
    expect(getEventNames(ran).at(-1)).toBe('end')
  })

  it('--once without --json has the same exit codes', async () => {
    const fixture = await startRelay()
    const flags = ['--driver', 'simulate', '--once', ...getJournalFlags(fixture), ...fixture.flags]
    expect(await run(Phone, flags, fixture)).toMatchObject({ code: 7 })
    await send(fixture, '+12025550123')
    expect(await run(Phone, [...flags, '--option', 'failure-rate=1'], fixture)).toMatchObject({
      code: 3,
    })
    await send(fixture, '+12025550124')
    expect(await run(Phone, flags, fixture)).toMatchObject({ code: 0 })
  })

  it('prints numbers and received texts into a pipe only on request', async () => {
    const fixture = await startRelay()
    const incoming = ['--option', 'incoming-rate=1', '--option', 'incoming-text=Hi ann']
    const print = async (...more: string[]) => {
      await send(fixture, '+12025550123')
      const command = `${process.execPath} -e "console.error('+1 202 555 0199');process.exit(1)" --`
      const flags = [...getJournalFlags(fixture), ...fixture.flags, ...more]
      const exec = ['--driver', 'exec', '--option', `command=${command}`, '--once', ...flags]
      const sent = await run(Phone, exec, fixture)
      await send(fixture, '+12025550124')
      const receiving = start(Phone, ['--driver', 'simulate', ...incoming, ...flags], fixture)
      await receiving.waitForOutput('forwarded')
      receiving.signals.emit('SIGINT')
      return sent.stdout + (await receiving.ended).stdout
    }
    const lines = await print()
    expect(lines).toMatch(/took [\w-]+\n.*failed \S+ error=… status=E.*forwarded received=\S+\n/s)
    expect(lines).not.toMatch(/202 ?555|Hi ann/)
    expect(await print('--show-texts')).toMatch(
      /took.*destination=\+12025550123.*error=\+1 202 555 0199.*received from=.*text=Hi ann/s,
    )
  })

  it('64 messages at the same time cause no warning of Node', async () => {
    const fixture = await startRelay()
    const warnings: Error[] = []
    const onWarning = (warning: Error) => warnings.push(warning)
    process.on('warning', onWarning)
    onTestFinished(() => void process.off('warning', onWarning))
    const numbers = Array.from({ length: 64 }, (_, index) => `+120255501${index + 10}`)
    await Promise.all(numbers.map(each => send(fixture, each)))
    const flags = ['--driver', 'simulate', '--option', 'delay=100', '--concurrency', '64']
    const running = phone(fixture, ...flags)
    await running.waitForOutput('"idle"')
    running.signals.emit('SIGINT')
    expect((await running.ended).stdout).toContain('"sent":64')
    expect(warnings).toEqual([])
  })

  it('runs a program with --driver exec', async () => {
    const fixture = await startRelay()
    await send(fixture, '+12025550123')
    const command = `${process.execPath} -e "console.error('no signal');process.exit(1)" --`
    const ran = await phone(fixture, '--driver', 'exec', '--option', `command=${command}`, '--once')
      .ended
    expect(ran.stdout).toContain('"error":"no signal"')
  })

  it('a signal ends it with 0', async () => {
    const fixture = await startRelay()
    const running = phone(fixture, '--driver', 'simulate')
    await running.waitForOutput('"ready"')
    running.signals.emit('SIGINT')
    const ran = await running.ended
    expect(ran.code).toBe(0)
    expect(getEventNames(ran).slice(-2)).toEqual(['stopping', 'end'])
  })

  it('a second signal abandons the message in progress and ends with 130', async () => {
    const fixture = await startRelay()
    await send(fixture, '+12025550123')
    const running = phone(fixture, '--driver', 'simulate', '--option', 'delay=600000')
    await running.waitForOutput('"took"')
    running.signals.emit('SIGINT')
    await running.waitForOutput('"stopping"')
    running.signals.emit('SIGINT')
    expect((await running.ended).code).toBe(130)
  })

  it('after a kill it reports a sent message and does not send it again', async () => {
    const fixture = await startRelay()
    await send(fixture, '+12025550123')
    const directory = join(fixture.dataDir, '..', 'phone')
    const journal = await openFileJournal(directory, {
      credentials: { user: fixture.account.secret_key, password: fixture.account.app_key },
    })
    const [message] = await createClient(fixture).messages.list()
    await journal.attempts.begin(message as MessageFields, 'key')
    const attempt = { id: message?.id ?? '', key: 'key' }
    await journal.attempts.record(attempt, { result: 'sent', parts: 1 })
    await journal[Symbol.asyncDispose]()
    const ran = await phone(fixture, '--driver', 'simulate', '--option', 'failure-rate=1', '--once')
      .ended
    expect(getEventNames(ran)).toEqual(['resumed', 'sent', 'ready', 'idle', 'end'])
  })

  it('--concurrency sends several messages at the same time', async () => {
    const fixture = await startRelay()
    for (const digit of [1, 2, 3]) await send(fixture, `+1202555013${digit}`)
    const running = phone(fixture, '--driver', 'simulate', '--concurrency', '3')
    await running.waitForOutput('"idle"')
    running.signals.emit('SIGINT')
    const ran = await running.ended
    expect(getEventNames(ran).filter(each => each === 'sent')).toHaveLength(3)
    expect(getEventNames(ran).filter(each => each === 'ready')).toHaveLength(1)
  })

  it('--rate also applies after a restart', async () => {
    const fixture = await startRelay()
    for (const digit of [1, 2, 3]) await send(fixture, `+1202555013${digit}`)
    const paced = ['--driver', 'simulate', '--rate', '1/s', '--rate', '2/d']
    const running = phone(fixture, ...paced)
    await running.waitForOutput('"paced"')
    running.signals.emit('SIGINT')
    expect(getEventNames(await running.ended).filter(each => each === 'sent')).toHaveLength(2)
    const again = await phone(fixture, ...paced, '--once').ended
    expect(again.stdout).toContain('"limit":"2/d"')
    expect(getEventNames(again)).toEqual(['paced', 'end'])
  })

  it('sends through several drivers', async () => {
    const fixture = await startRelay()
    await send(fixture, '+12025550130')
    await send(fixture, '+4915112345678')
    const several = ['--driver', 'a=simulate', '--driver', 'b=simulate', '--route', '+49=b']
    const rest = ['--route', '*=a,b', '--option', 'a.failure-rate=1', '--option', 'b.seed=1']
    const running = phone(fixture, ...several, ...rest)
    await running.waitForOutput('"idle"')
    running.signals.emit('SIGINT')
    const ran = await running.ended
    expect(ran.stdout).toContain('"driver":"a,b"')
    expect(getEventNames(ran).filter(each => each === 'sent')).toHaveLength(2)
  })

  it('uses the driver of the environment', async () => {
    const fixture = await startRelay()
    vi.stubEnv('SMSRELAY_DRIVER', 'simulate')
    onTestFinished(() => void vi.unstubAllEnvs())
    const flags = ['--once', '--json', ...getJournalFlags(fixture), ...fixture.flags]
    expect(await start(Phone, flags, fixture).ended).toMatchObject({ code: 7 })
  })

  it('fetches no message in quiet hours', async () => {
    const fixture = await startRelay()
    await send(fixture, '+12025550130')
    const now = new Date()
    const hours = `${now.getUTCHours()}:00-${(now.getUTCHours() + 2) % 24}:00`
    const quiet = ['--driver', 'simulate', '--quiet', hours, '--time-zone', 'UTC']
    const running = phone(fixture, ...quiet)
    await running.waitForOutput('"quiet"')
    running.signals.emit('SIGINT')
    expect(getEventNames(await running.ended)).toEqual(['quiet', 'stopping', 'end'])
  })

  it('the journal of a running phone cannot be used', async () => {
    const fixture = await startRelay()
    const running = phone(fixture, '--driver', 'simulate')
    await running.waitForOutput('"ready"')
    const other = await phone(fixture, '--driver', 'simulate').ended
    expect(other.code).toBe(1)
    expect(JSON.parse(other.stdout).error).toMatchObject({
      code: 'directory_in_use',
      message: expect.stringContaining('--journal'),
    })
    const without = phone(fixture, '--driver', 'simulate', '--once', '--no-journal')
    expect(await without.ended).toMatchObject({ code: 7 })
    running.signals.emit('SIGINT')
    await running.ended
  })

  it('wrong keys end it with 4', async () => {
    const { relay } = await startRelay()
    const keys = ['--url', relay.url, '--secret-key', 'a', '--app-key', 'b']
    const ran = await run(Phone, ['--driver', 'simulate', '--no-journal', ...keys, '--json'])
    expect(ran.code).toBe(4)
  })

  it.each([
    ['no driver', []],
    ['an unknown driver', ['--driver', 'pigeon']],
    ['exec without a command', ['--driver', 'exec']],
    [
      'an option of another driver',
      ['--driver', 'exec', '--option', 'command=x', '--option', 'seed=1'],
    ],
    ['an option without a value', ['--driver', 'simulate', '--option', 'seed']],
    ['a concurrency of 0', ['--driver', 'simulate', '--concurrency', '0']],
    ['too much concurrency', ['--driver', 'simulate', '--concurrency', '1001']],
    ['--once with --concurrency', ['--driver', 'simulate', '--concurrency', '2', '--once']],
    ['a rate without a time', ['--driver', 'simulate', '--rate', '30']],
    ['invalid quiet hours', ['--driver', 'simulate', '--quiet', 'night']],
    ['an unknown time zone', ['--driver', 'simulate', '--quiet', '1:00-2:00', '--time-zone', 'x']],
    ['a time zone without quiet hours', ['--driver', 'simulate', '--time-zone', 'UTC']],
    ['several drivers without names', ['--driver', 'simulate', '--driver', 'exec']],
    ['a route without names', ['--driver', 'simulate', '--route', '*=simulate']],
    ['an invalid time', ['--driver', 'simulate', '--option', 'delay=soon']],
  ])('%s is a usage error', async (_, argv) => {
    const ran = await run(Phone, [...argv, '--url', 'http://127.0.0.1:9', '--json'])
    expect(ran.code).toBe(2)
    expect(JSON.parse(ran.stdout).error.code).toBe('usage')
  })
})

async function send(fixture: RelayFixture, destination: string): Promise<void> {
  const ran = await run(MessageSend, [destination, 'secret text', ...fixture.flags], fixture)
  expect(ran.code).toBe(0)
}

function phone(fixture: RelayFixture, ...argv: string[]) {
  const given = argv.some(each => each.includes('journal'))
    ? argv
    : [...argv, ...getJournalFlags(fixture)]
  return start(Phone, [...given, ...fixture.flags, '--json'], fixture)
}

function getJournalFlags({ dataDir }: RelayFixture): string[] {
  return ['--journal', join(dataDir, '..', 'phone')]
}

function getEventNames({ stdout }: CommandResult): unknown[] {
  return parseLines(stdout).map(line => line.event)
}
