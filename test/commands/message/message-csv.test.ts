import { appendFile, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import MessageSend from '../../../commands/message/send.js'
import { RelayClient } from '../../../src/client/relay-client.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { type Given, run, type Service, sharedService, start } from '../harness.js'

const shared = sharedService()

interface Desk {
  readonly service: Service
  /** Sends a table; what it is called decides on the job. */
  send(table: string, flags: readonly string[], name?: string): Promise<Sent>
  readonly given: Given & { env: Record<string, string> }
  readonly folder: string
}

interface Sent {
  readonly code: number
  readonly lines: Record<string, unknown>[]
  readonly stderr: string
  readonly stdout: string
}

async function desk(): Promise<Desk> {
  const service = shared()
  const folder = await temporaryFolder()
  const given = { env: { ...service.env, SMSRELAY_STATE_DIR: join(folder, 'state') } }
  return {
    ...{ service, given, folder },
    async send(table, flags, name = 'a.csv') {
      await writeFile(join(folder, name), table)
      const argv = ['--csv', join(folder, name), ...service.flags, ...flags]
      const ran = await run(MessageSend, argv, given)
      const json = flags.includes('--json') ? ran.stdout.trim().split('\n') : []
      return { ...ran, lines: json.map(line => JSON.parse(line)) }
    },
  }
}

let texts = 0
/** A text that no other test sends. */
function text(): string {
  texts += 1
  return `text ${texts}`
}

async function sentTexts(service: Service): Promise<string[]> {
  const { relay, account } = service
  const credentials = { user: account.secret_key, password: account.api_key }
  const client = new RelayClient({ url: relay.url, credentials })
  const found: string[] = []
  for (let from = 0; ; from += 100) {
    const page = await client.messages.list({ filter: 'all', start: from, count: 100 })
    found.push(...page.map(each => each.message))
    if (page.length < 100) return found
  }
}

describe('message send --csv', () => {
  it('sends a message a row, and tells of each', async () => {
    const { service, send } = await desk()
    const [one, two] = [text(), text()]
    const table = `Phone;Name;send_on\r\n+12025550123;${one};\r\n5551212;${two};2030-01-31 09:00\r\n`
    const { code, lines, stderr } = await send(table, ['--text', '{name}', '--json'])
    expect([code, stderr]).toEqual([0, ''])
    expect(lines.slice(0, 2).sort((a, b) => Number(a.row) - Number(b.row))).toEqual([
      {
        type: 'row',
        row: 1,
        line: 2,
        destination: '+12025550123',
        status: 'accepted',
        id: expect.any(String),
      },
      {
        type: 'row',
        row: 2,
        line: 3,
        destination: '5551212',
        status: 'accepted',
        id: expect.any(String),
      },
    ])
    expect(lines[2]).toEqual({
      ...{ type: 'end', reason: 'done', rows: 2, accepted: 2, blocked: 0, skipped: 0 },
      ...{ refused: 0, invalid: 0, unknown: 0 },
    })
    expect(await sentTexts(service)).toEqual(expect.arrayContaining([one, two]))
  })

  it('sends nothing when one row cannot be sent, and says which', async () => {
    const { service, send } = await desk()
    const one = text()
    const table = `to,message\n+12025550123,${one}\n4.9E+11,x\n+12025550123,${one}\n`
    const { code, stdout, stderr } = await send(table, [])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^line 3 {2}a spreadsheet has rounded.*\nline 4 {2}repeats line 2.*\n$/)
    expect(stderr).toMatch(/^smsrelay: 2 of 3 rows cannot be sent, so none was sent\./)
    expect(await sentTexts(service)).not.toContain(one)
  })

  it('leaves rows out with --skip-invalid, and goes on when they were mended', async () => {
    const { service, send } = await desk()
    const [one, two] = [text(), text()]
    const first = await send(`to,message\n5551212,${one}\nx,${two}\n`, ['--skip-invalid'])
    expect(first.code).toBe(0)
    const mended = `to,message\n5551212,${one}\n5551213,${two}\n`
    const refused = await send(mended, [])
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--new-rows')])
    const second = await send(mended, ['--new-rows', '--json'])
    expect(second.lines.map(each => each.status).slice(0, 2)).toEqual(['skipped', 'accepted'])
    const sent = await sentTexts(service)
    expect(sent.filter(each => each === one || each === two).sort()).toEqual([one, two].sort())
  })

  it('does not send a finished file again unless asked to', async () => {
    const { service, send } = await desk()
    const one = text()
    const table = `to,message\n5551212,${one}\n`
    expect((await send(table, [])).code).toBe(0)
    const again = await send(table, [])
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('--again')])
    expect((await send(table, ['--again'])).code).toBe(0)
    expect((await send(table, ['--job', 'other'])).code).toBe(0)
    expect((await sentTexts(service)).filter(each => each === one).length).toBe(3)
  })

  it('sends the same row twice only with --allow-duplicates', async () => {
    const { service, send } = await desk()
    const one = text()
    const table = `to,message\n5551212,${one}\n5551212,${one}\n`
    expect((await send(table, [])).code).toBe(1)
    expect((await send(table, ['--allow-duplicates'])).code).toBe(0)
    expect((await sentTexts(service)).filter(each => each === one).length).toBe(2)
  })

  it('tells what the relay refuses, sends the rest, and ends with 1', async () => {
    const { service, send } = await desk()
    const one = text()
    const table = `to,message\n99999999,x\n5551212,${one}\n`
    const { code, lines } = await send(table, ['--json', '--concurrency', '1'])
    expect(code).toBe(1)
    expect(lines.map(each => each.status)).toEqual(['refused', 'accepted', undefined])
    expect(await sentTexts(service)).toContain(one)
  })

  it('names blocked numbers', async () => {
    const { service, send } = await desk()
    await service.relay.administration.addBlocked('+12025550199')
    const { code, lines } = await send('to,message\n+12025550199,x\n', ['--json'])
    expect([code, lines[0]?.status, lines[1]?.blocked]).toEqual([0, 'blocked', 1])
  })

  it('reads national numbers in the country that is given', async () => {
    const { send } = await desk()
    const { lines } = await send('to,message\n0151 23456789,x\n', ['--country', 'de', '--json'])
    expect(lines[0]?.destination).toBe('+4915123456789')
  })

  it('reads a pipe, keeps nothing of it, and goes on with the same content', async () => {
    const { service, given } = await desk()
    const before = (await readdir(tmpdir())).filter(name => name.startsWith('smsrelay-csv-'))
    const argv = ['--csv', '-', ...service.flags]
    const stdin = `to,message\n5551212,${text()}\n`
    expect((await run(MessageSend, argv, { ...given, stdin })).code).toBe(0)
    const again = await run(MessageSend, argv, { ...given, stdin })
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('was accepted')])
    const after = (await readdir(tmpdir())).filter(name => name.startsWith('smsrelay-csv-'))
    expect(after).toEqual(before)
  })

  it('notices that the file was changed while it was sent, and goes on with what is new', async () => {
    const { service, given, folder } = await desk()
    const file = join(folder, 'a.csv')
    const mark = text()
    const rows = (from: number, to: number) =>
      Array.from(
        { length: to - from },
        (_, at) => `5551212,${mark} ${from + at} ${'x'.repeat(1500)}\n`,
      )
    await writeFile(file, `to,message\n${rows(0, 300).join('')}`)
    const argv = ['--csv', file, ...service.flags]
    const sending = start(MessageSend, argv, given)
    await sending.untilPrinted('accepted')
    await appendFile(file, rows(300, 302).join(''))
    const changed = await sending.ended
    expect([changed.code, changed.stderr]).toEqual([1, expect.stringContaining('was changed')])
    expect((await run(MessageSend, [...argv, '--new-rows'], given)).code).toBe(0)
    const sent = (await sentTexts(service)).filter(each => each.startsWith(`${mark} `))
    expect([sent.length, new Set(sent).size]).toEqual([302, 302])
  })

  it('ends while it waits for a pipe', async () => {
    const { service, given } = await desk()
    const input = new PassThrough()
    const waiting = start(MessageSend, ['--csv', '-', ...service.flags], { ...given, input })
    const table = `to,message\n${'5551212,x\n'.repeat(10_000)}`
    await new Promise(resolve => input.write(table, resolve))
    waiting.signals.emit('SIGINT')
    expect(await waiting.ended).toMatchObject({ code: 130, stdout: '' })
  })

  it('ends before anything is sent where the keys are wrong', async () => {
    const { service, given, folder } = await desk()
    const file = join(folder, 'a.csv')
    await writeFile(file, 'to,message\n5551212,x\n')
    const keys = ['--secret-key', service.account.secret_key, '--api-key', 'wrong']
    const argv = ['--csv', file, '--url', service.relay.url, ...keys]
    const { code, stdout } = await run(MessageSend, argv, given)
    expect([code, stdout]).toEqual([4, ''])
  })
})

describe('message send --csv --dry-run', () => {
  it('shows rows, parts and what is wrong, needs no relay, and sends nothing', async () => {
    const { folder } = await desk()
    const file = join(folder, 'a.csv')
    const long = 'x'.repeat(161)
    await writeFile(file, `to,message\n5551212,${long}\n5551213,ß☎\n,x\n`)
    const plain = await run(MessageSend, ['--csv', file, '--dry-run'], { env: {} })
    expect(plain.code).toBe(1)
    expect(plain.stdout.split('\n')).toEqual([
      `line 2  5551212  GSM-7  2 parts  ${long}`,
      'line 3  5551213  UCS-2  1 part  ß☎',
      'line 4  the number is missing',
      '',
    ])
    expect(plain.stderr).toBe(
      '2 messages, 3 parts (GSM-7: 1, UCS-2: 1). Nothing was sent.\n1 row cannot be sent.\n',
    )
    const argv = ['--csv', file, '--dry-run', '--skip-invalid', '--json']
    const json = await run(MessageSend, argv, { env: {} })
    expect(json).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(json.stdout.trim().split('\n').at(-1) ?? '')).toEqual({
      ...{ type: 'end', reason: 'dry-run', rows: 3, messages: 2, parts: 3 },
      ...{ alphabets: { 'GSM-7': 1, 'UCS-2': 1 }, invalid: 1 },
    })
  })
})

describe('what cannot be meant', () => {
  it.each([
    ['a number beside a file', ['5551212', '--csv', 'x'], /numbers are in the file/],
    ['--wait', ['--csv', 'x', '--wait'], /--wait is for a single message/],
    ['--idempotency-key', ['--csv', 'x', '--idempotency-key', 'k'], /--idempotency-key is for/],
    ['--text without a file', ['5551212', 'x', '--text', 'y'], /using --text: --csv/],
    ['no file', ['--csv', '/nowhere/x.csv'], /There is no file/],
    ['a directory', ['--csv', '/'], /it is a directory/],
    ['a rate', ['--csv', 'x', '--rate', 'fast'], /--rate "fast"/],
    ['a country', ['--csv', 'x', '--country', 'Germany'], /--country must be/],
    ['an encoding', ['--csv', 'x', '--encoding', 'klingon'], /--encoding must be/],
    ['too many at once', ['--csv', 'x', '--concurrency', '65'], /--concurrency "65"/],
    ['again and new rows', ['--csv', 'x', '--again', '--new-rows'], /again/],
  ])('%s', async (_, argv, message) => {
    const ran = await run(MessageSend, [...argv, ...shared().flags], shared())
    expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) })
    expect(ran.stderr.trim().split('\n').length).toBe(1)
  })
})
