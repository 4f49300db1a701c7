import { appendFile, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import MessageSend from '../../../commands/message/send.js'
import { RelayClient } from '../../../src/client/relay-client.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { type CommandInput, type RelayFixture, run, start, startSharedRelay } from '../harness.js'

const shared = startSharedRelay()

interface Sender {
  readonly fixture: RelayFixture
  /** Sends a table. The name of its file identifies it. */
  send(table: string, flags: readonly string[], name?: string): Promise<Sent>
  readonly commandInput: CommandInput & { env: Record<string, string> }
  readonly folder: string
}

interface Sent {
  readonly code: number
  readonly lines: Record<string, unknown>[]
  readonly stderr: string
  readonly stdout: string
}

async function createSender(): Promise<Sender> {
  const fixture = shared()
  const folder = await temporaryFolder()
  const commandInput = { env: { ...fixture.env, SMSRELAY_STATE_DIR: join(folder, 'state') } }
  return {
    ...{ fixture, commandInput, folder },
    async send(table, flags, name = 'a.csv') {
      await writeFile(join(folder, name), table)
      const argv = ['--csv', join(folder, name), ...fixture.flags, ...flags]
      const ran = await run(MessageSend, argv, commandInput)
      const json = flags.includes('--json') ? ran.stdout.trim().split('\n') : []
      return { ...ran, lines: json.map(line => JSON.parse(line)) }
    },
  }
}

let texts = 0
function createText(): string {
  texts += 1
  return `text ${texts}`
}

async function listSentTexts(fixture: RelayFixture): Promise<string[]> {
  const { relay, account } = fixture
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
  it('sends a message for each row and prints each result', async () => {
    const { fixture, send } = await createSender()
    const [one, two] = [createText(), createText()]
    const rows = [`+12025550123;${one};`, `5551212;${two};2030-01-31 09:00`]
    const table = `Phone;Name;send_on\r\n${rows.join('\r\n')}\r\n`
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
      ...{ type: 'end', reason: 'done', rows: 2, accepted: 2, blocked: 0 },
      ...{ refused: 0, invalid: 0, unknown: 0 },
    })
    expect(await listSentTexts(fixture)).toEqual(expect.arrayContaining([one, two]))
  })

  it('sends nothing if rows are invalid, and names them', async () => {
    const { fixture, send } = await createSender()
    const one = createText()
    const table = `to,message\n+12025550123,${one}\n4.9E+11,x\n+12025550123,${one}\n`
    const { code, stdout, stderr } = await send(table, [])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^line 3 {2}.+\nline 4 {2}.*line 2.*\n$/)
    expect(stderr).toMatch(/^smsrelay: 2 of 3 rows .*--skip-invalid/)
    expect(await listSentTexts(fixture)).not.toContain(one)
  })

  it('--skip-invalid skips invalid rows, which are sent once they are fixed', async () => {
    const { fixture, send } = await createSender()
    const [one, two] = [createText(), createText()]
    const first = await send(`to,message\n5551212,${one}\nx,${two}\n`, ['--skip-invalid'])
    expect([first.code, first.stderr]).toEqual([0, expect.stringContaining('within 23 hours')])
    const fixed = await send(`to,message\n5551212,${one}\n5551213,${two}\n`, ['--json'])
    expect(fixed.lines.map(each => each.status).slice(0, 2)).toEqual(['accepted', 'accepted'])
    const sent = await listSentTexts(fixture)
    expect(sent.filter(each => each === one || each === two).sort()).toEqual([one, two].sort())
  })

  it('accepts a file that is sent again once, and again under another key', async () => {
    const { fixture, send } = await createSender()
    const one = createText()
    const table = `to,message\n5551212,${one}\n`
    const first = await send(table, ['--json'])
    expect((await send(table, ['--json'])).lines[0]).toEqual(first.lines[0])
    expect((await send(table, ['--idempotency-key', 'week 48'])).code).toBe(0)
    expect((await listSentTexts(fixture)).filter(each => each === one).length).toBe(2)
  })

  it('sends the same row twice only with --allow-duplicates', async () => {
    const { fixture, send } = await createSender()
    const one = createText()
    const table = `to,message\n5551212,${one}\n5551212,${one}\n`
    expect((await send(table, [])).code).toBe(1)
    expect((await send(table, ['--allow-duplicates'])).code).toBe(0)
    expect((await listSentTexts(fixture)).filter(each => each === one).length).toBe(2)
  })

  it('reports rows that the relay rejects, sends the others, and exits with 1', async () => {
    const { fixture, send } = await createSender()
    const one = createText()
    const table = `to,message\n99999999,x\n5551212,${one}\n`
    const { code, lines } = await send(table, ['--json', '--concurrency', '1'])
    expect(code).toBe(1)
    expect(lines.map(each => each.status)).toEqual(['refused', 'accepted', undefined])
    expect(await listSentTexts(fixture)).toContain(one)
  })

  it('reports blocked numbers', async () => {
    const { fixture, send } = await createSender()
    await fixture.relay.administration.addDoNotText('+12025550199')
    const { code, lines } = await send('to,message\n+12025550199,x\n', ['--json'])
    expect([code, lines[0]?.status, lines[1]?.blocked]).toEqual([0, 'blocked', 1])
  })

  it('reads national numbers in the given country', async () => {
    const { send } = await createSender()
    const { lines } = await send('to,message\n0151 23456789,x\n', ['--country', 'de', '--json'])
    expect(lines[0]?.destination).toBe('+4915123456789')
  })

  it('reads a pipe, removes its copy, and recognizes the same content', async () => {
    const { fixture, commandInput } = await createSender()
    const before = (await readdir(tmpdir())).filter(name => name.startsWith('smsrelay-csv-'))
    const argv = ['--csv', '-', ...fixture.flags]
    const text = createText()
    const stdin = `to,message\n5551212,${text}\n`
    expect((await run(MessageSend, argv, { ...commandInput, stdin })).code).toBe(0)
    expect((await run(MessageSend, argv, { ...commandInput, stdin })).code).toBe(0)
    expect((await listSentTexts(fixture)).filter(each => each === text)).toHaveLength(1)
    const after = (await readdir(tmpdir())).filter(name => name.startsWith('smsrelay-csv-'))
    expect(after).toEqual(before)
  })

  it('stops if the file changes while it is sent, and continues when it is run again', async () => {
    const { fixture, commandInput, folder } = await createSender()
    const file = join(folder, 'a.csv')
    const mark = createText()
    const rows = (from: number, to: number) =>
      Array.from(
        { length: to - from },
        (_, at) => `5551212,${mark} ${from + at} ${'x'.repeat(1500)}\n`,
      )
    await writeFile(file, `to,message\n${rows(0, 300).join('')}`)
    const argv = ['--csv', file, '--concurrency', '1', ...fixture.flags]
    const sending = start(MessageSend, argv, commandInput)
    await sending.waitForOutput('accepted')
    await appendFile(file, rows(300, 302).join(''))
    const changed = await sending.ended
    expect([changed.code, changed.stderr]).toEqual([1, expect.stringContaining('file changed')])
    expect((await run(MessageSend, argv, commandInput)).code).toBe(0)
    const sent = (await listSentTexts(fixture)).filter(each => each.startsWith(`${mark} `))
    expect([sent.length, new Set(sent).size]).toEqual([302, 302])
  })

  it('exits with 130 when it is interrupted while it reads a pipe', async () => {
    const { fixture, commandInput } = await createSender()
    const input = new PassThrough()
    const waiting = start(MessageSend, ['--csv', '-', ...fixture.flags], { ...commandInput, input })
    const table = `to,message\n${'5551212,x\n'.repeat(10_000)}`
    await new Promise(resolve => input.write(table, resolve))
    waiting.signals.emit('SIGINT')
    expect(await waiting.ended).toMatchObject({ code: 130, stdout: '' })
  })

  it('sends nothing if the keys are wrong', async () => {
    const { fixture, commandInput, folder } = await createSender()
    const file = join(folder, 'a.csv')
    await writeFile(file, 'to,message\n5551212,x\n')
    const keys = ['--secret-key', fixture.account.secret_key, '--api-key', 'wrong']
    const argv = ['--csv', file, '--url', fixture.relay.url, ...keys]
    const { code, stdout } = await run(MessageSend, argv, commandInput)
    expect([code, stdout]).toEqual([4, ''])
  })
})
