import { once } from 'node:events'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isFullRun } from '../tier.js'
import { makeHome, serve } from './program.js'

const sender = `
import { appendFileSync } from 'node:fs'
const [destination, text] = process.argv.slice(2)
appendFileSync(process.env.SENT_FILE, JSON.stringify({ destination, text }) + '\\n')
console.log(1)
`

test('a text reaches the sending program, and its events arrive in order', async () => {
  const home = await makeHome()
  const script = join(home.dir, 'sender.mjs')
  const sentFile = join(home.dir, 'sent.ndjson')
  await writeFile(script, sender)
  home.env.SENT_FILE = sentFile

  const relay = await serve(home)
  const listen = home.start(['hook', 'listen', '--json', '--count', '2'])
  await listen.line(line => line.type === 'ready')
  const command = `"${process.execPath}" "${script}"`
  const phone = home.start([
    'phone',
    '--driver',
    'exec',
    '--option',
    `command=${command}`,
    '--json',
  ])

  const text = 'Grüße; $(touch x) "quoted"\nand a second line'
  const sent = await home.run(['message', 'send', '+12025550123', '--wait', '--json'], text)
  expect(sent).toMatchObject({ code: 0, stderr: '' })
  const message = JSON.parse(sent.stdout)
  expect(message).toMatchObject({ status: 'S', failure_count: 0, message: text })
  expect((await readFile(sentFile, 'utf8')).trim()).toBe(
    JSON.stringify({ destination: '+12025550123', text }),
  )

  const events = [
    await listen.line(line => line.type === 'hit'),
    await listen.line(line => line.type === 'hit'),
  ]
  expect(events.map(each => each.event)).toEqual(['message.create', 'message.sent'])
  expect(events.map(each => each.message)).toEqual([{ id: message.id }, { id: message.id }])
  expect((await listen.ended).code).toBe(0)
  const left = await home.run(['hook', 'list', '--json'])
  expect(JSON.parse(left.stdout)).toEqual([])

  expect(await phone.end('SIGINT')).toBe(0)
  await relay.end('SIGTERM')
  const ended = await relay.ended
  expect(ended.code).toBe(0)
  const levels = ended.stderr
    .trim()
    .split('\n')
    .map(line => JSON.parse(line).level)
  expect(new Set(levels)).toEqual(new Set(['info']))
})

test.runIf(isFullRun)(
  'the sandbox reports on texts to the test numbers without a phone',
  async () => {
    const home = await makeHome()
    await serve(home, '--sandbox')
    const good = await home.run(['message', 'send', '5551212', 'hello', '--wait', '--json'])
    expect(good.code).toBe(0)
    expect(JSON.parse(good.stdout)).toMatchObject({ status: 'S' })
  },
)

test('the first start prints the account once, and commands work without a login', async () => {
  const home = await makeHome()
  const first = home.start(['serve', '--port', '0', '--data', join(home.dir, 'data'), '--json'])
  const account = await first.line(line => line.event === 'account')
  expect(Object.keys(account).sort()).toEqual(
    ['api_key', 'app_key', 'email', 'event', 'id', 'password', 'secret_key'].sort(),
  )
  await first.line(line => line.event === 'listening')
  const who = await home.run(['whoami', '--json'])
  expect(who.code).toBe(0)
  expect(who.stdout).toContain(String(account.email))
  await first.end('SIGTERM')
  const again = await serve(home)
  await again.end('SIGTERM')
  expect((await again.ended).stdout).not.toContain('account')
})

test.runIf(isFullRun)('where nobody reads the output, the keys go to a private file', async () => {
  const home = await makeHome()
  const data = join(home.dir, 'data')
  const relay = home.start(['serve', '--port', '0', '--data', data])
  let output = ''
  while (!/smsrelay login .*\n/.test(output)) output += await once(relay.child.stdout, 'data')
  const file = join(data, 'owner-keys-default.txt')
  expect(output).toContain(`keys are in\n${file}.`)
  expect(output).not.toContain('another terminal')
  expect(output).toMatch(/first type.*\n\n {2}smsrelay login --url http:\/\/127\.0\.0\.1:\d+\n/)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const keys = [...(await readFile(file, 'utf8')).matchAll(/(\S+)\n/g)].map(([, key]) => key)
  const account = JSON.parse((await home.run(['whoami', '--json'])).stdout)
  expect(keys[0]).toBe(account.email)
  expect(keys).toHaveLength(5)
  await relay.end('SIGTERM')
  const { stdout, stderr } = await relay.ended
  for (const key of keys.slice(1)) expect(`${stdout}${stderr}`).not.toContain(key)
})

test.runIf(isFullRun)('administration works with a running and with a stopped relay', async () => {
  const home = await makeHome()
  const data = ['--data', join(home.dir, 'data'), '--json']
  const relay = await serve(home)
  const made = await home.run(['account', 'create', 'running@example.com', ...data])
  expect(made.code).toBe(0)
  const keys = JSON.parse(made.stdout)
  const basic = Buffer.from(`${keys.secret_key}:${keys.api_key}`).toString('base64')
  const token = await fetch(`${relay.url}/oauth`, {
    headers: { authorization: `Basic ${basic}` },
  })
  expect(token.status).toBe(200)
  await relay.end('SIGTERM')
  await home.run(['account', 'create', 'stopped@example.com', ...data])
  const list = await home.run(['account', 'list', ...data])
  const emails = JSON.parse(list.stdout).map((account: { email: string }) => account.email)
  expect(emails).toEqual(['owner@localhost', 'running@example.com', 'stopped@example.com'])
})

test.runIf(isFullRun)(
  'a second relay on the same directory names the process that uses it',
  async () => {
    const home = await makeHome()
    const first = await serve(home)
    const second = await home.run(['serve', '--port', '0', '--data', join(home.dir, 'data')])
    expect(second.code).toBe(1)
    expect(second.stderr).toContain(String(first.child.pid))
  },
)

test('a used port and an invalid data directory are reported in one line', async () => {
  const home = await makeHome()
  const { url } = await serve(home)
  const port = new URL(url).port
  const other = join(home.dir, 'other')
  const taken = await home.run(['serve', '--port', port, '--data', other])
  expect(taken).toMatchObject({ code: 1, stdout: '' })
  expect(taken.stderr).toMatch(/^smsrelay: .*127\.0\.0\.1:\d+.*--port.*\n$/)
  expect(taken.stderr).toContain(port)

  const file = join(home.dir, 'file')
  await writeFile(file, '')
  const impossible = await home.run(['serve', '--port', '0', '--data', join(file, 'data')])
  expect(impossible).toMatchObject({ code: 1, stdout: '' })
  expect(impossible.stderr).toMatch(/^smsrelay: .*\n$/)
  expect(impossible.stderr).toContain(file)
})

test.runIf(process.platform === 'linux')(
  'a directory that the system refuses to create ends the start',
  async () => {
    const home = await makeHome()
    const { code, stderr } = await home.run(['serve', '--port', '0', '--data', '/proc/smsrelay'])
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('/proc/smsrelay') })
  },
)

const requestsAtOnce = 16
/** Their log is longer than the 1 MiB that the relay keeps and what a pipe or socket holds. */
const rounds = 550

test.runIf(isFullRun)(
  'a reader of stderr that stands still delays neither requests nor the end',
  async () => {
    const home = await makeHome()
    const relay = await serve(home, '--log-level', 'debug')
    relay.child.stderr?.pause()
    const ask = async () => (await fetch(`${relay.url}/healthz`)).status
    for (let round = 0; round < rounds; round += 1) {
      const statuses = await Promise.all(Array.from({ length: requestsAtOnce }, ask))
      expect(new Set(statuses)).toEqual(new Set([200]))
    }
    relay.child.kill('SIGTERM')
    const [code] = await once(relay.child, 'exit')
    expect(code).toBe(0)
  },
)
