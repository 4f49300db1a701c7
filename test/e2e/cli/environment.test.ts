import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.js'
import { makeHome, program } from '../program.js'

const nobody = { uid: 54_321, gid: 54_321 }
const isRoot = process.platform === 'linux' && process.getuid?.() === 0
const canRead = isRoot && run(['--version'], {}).status === 0

const keyFlags = ['--secret-key', 'x', '--app-key', 'y']

function run(args: readonly string[], more: NodeJS.ProcessEnv) {
  const env = { PATH: process.env.PATH, ...more }
  return spawnSync(process.execPath, [program, ...args], { env, ...nobody, encoding: 'utf8' })
}

/** Starts a relay as the unknown user; resolves to its address and the keys of its owner. */
async function serveAs(more: NodeJS.ProcessEnv) {
  const folder = await temporaryFolder()
  await chmod(folder, 0o777)
  const argv = [program, 'serve', '--data', `${folder}/data`, '--port', '0', '--json']
  const env = { PATH: process.env.PATH, ...more }
  const child = spawn(process.execPath, argv, { env, ...nobody, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(async () => {
    if (child.kill('SIGKILL')) await once(child, 'exit')
  })
  const events = new Map<string, Record<string, string>>()
  for await (const line of createInterface(child.stdout)) {
    const { event, ...rest } = JSON.parse(line)
    events.set(event, rest)
    if (event === 'listening') break
  }
  return {
    url: '',
    secret_key: '',
    api_key: '',
    ...events.get('account'),
    ...events.get('listening'),
  }
}

describe.skipIf(!canRead)('a user id without an entry in passwd', () => {
  test.each([
    ['HOME=/', { HOME: '/' }],
    ['a HOME of another user', { HOME: '/root' }],
    ['no HOME', {}],
  ])('with %s can run a relay and send with keys in the environment', async (_, home) => {
    const { url, secret_key, api_key } = await serveAs(home)
    const keys = { SMSRELAY_URL: url, SMSRELAY_SECRET_KEY: secret_key, SMSRELAY_API_KEY: api_key }
    const sent = run(['message', 'send', '+12025550123', 'hi'], { ...home, ...keys })
    expect(sent).toMatchObject({ status: 0, stderr: '' })
    expect(run(['message', 'send', '--help'], home).stdout).toContain('USAGE')
  })

  test.each([
    [['serve', '--port', '0'], 'SMSRELAY_DATA_DIR'],
    [['phone', '--driver', 'simulate', '--url', 'http://a', ...keyFlags], '--journal'],
    [['serve', '--database', 'postgres://127.0.0.1:1/x'], 'names no user'],
  ])('gets one line for %j that names %s', (args, named) => {
    const { status, stderr } = run(args, {})
    expect(status).toBeGreaterThan(0)
    expect(stderr).toMatch(/^smsrelay: .*\n$/)
    expect(stderr).toContain(named)
  })
})

test.each([
  ['', '(UTC)'],
  [':', '(UTC)'],
  ['Nowhere/City', '(UTC)'],
  [':Europe/Berlin', '(Europe/Berlin)'],
  ['/usr/share/zoneinfo/Europe/Berlin', '(Europe/Berlin)'],
])('with TZ=%s the local time is %s', async (TZ, zone) => {
  const home = await makeHome(undefined, { TZ })
  const argv = ['message', 'send', '+12025550123', 'hi', '--at', '+10m', '--dry-run']
  expect(await home.run(argv)).toMatchObject({ code: 0, stderr: expect.stringContaining(zone) })
})
