import { spawnSync } from 'node:child_process'
import { chownSync, lchownSync, lstatSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { chmod, mkdir, rename, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.js'
import { makeHome, program } from '../program.js'

const isRoot = process.platform === 'linux' && process.getuid?.() === 0
const owner = 54_321
if (!isRoot) console.warn("Skipped: root in another user's directory. It needs root.")

const keys = ['--secret-key', 'x', '--app-key', 'y', '--url', 'http://127.0.0.1:1']

function run(args: readonly string[], cwd: string, input = '') {
  const env = { PATH: process.env.PATH, HOME: '/root', SMSRELAY_CONFIG_DIR: join(cwd, 'config') }
  const options = { env, cwd, input, encoding: 'utf8', timeout: 60_000 } as const
  return spawnSync(process.execPath, [program, ...args], options)
}

/** A folder of root in which only `data` belongs to the owner. */
async function makeOwned() {
  const folder = await temporaryFolder()
  await chmod(folder, 0o755)
  const data = join(folder, 'home', 'data')
  mkdirSync(data, { recursive: true, mode: 0o700 })
  chownSync(dirname(data), owner, owner)
  chownSync(data, owner, owner)
  return { folder, data }
}

function listOwners(directory: string): number[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' }).map(
    name => lstatSync(join(directory, name)).uid,
  )
}

const record = '{"kind":"meta","record":{}}\n'

const commands: [name: string, format: (data: string) => string[], input?: string][] = [
  ['account create', data => ['account', 'create', 'a@example.com', '--data', data]],
  ['account list', data => ['account', 'list', '--data', data]],
  ['do-not-text list', data => ['do-not-text', 'list', '--data', data]],
  ['data check', data => ['data', 'check', '--data', data]],
  ['data export', data => ['data', 'export', '--data', data]],
  ['data repair', data => ['data', 'repair', '--data', data]],
  ['data import', data => ['data', 'import', '--data', data], record],
  ['phone', data => ['phone', '--driver', 'simulate', '--journal', data, '--once', ...keys]],
  ['phone doctor', data => ['phone', 'doctor', '--driver', 'simulate', '--journal', data, ...keys]],
  [
    'hook listen',
    data => ['hook', 'listen', '--stream', '--state', data, '--max-wait', '1s', ...keys],
  ],
]

describe.runIf(isRoot)("root in another user's directory", () => {
  test('gives all new files to that user, and a second command can read them', async () => {
    const { folder, data } = await makeOwned()
    const created = run(['account', 'create', 'a@example.com', '--data', data], folder)
    expect(created).toMatchObject({ status: 0 })
    expect(new Set(listOwners(dirname(data)))).toEqual(new Set([owner]))
    expect(run(['account', 'list', '--data', data], folder).stdout).toContain('a@example.com')
    expect(run(['data', 'check', '--data', data], folder)).toMatchObject({ status: 0 })
  })

  test.each(commands)('%s is not led out by a link', async (_, format, input) => {
    const { folder, data } = await makeOwned()
    const outside = join(folder, 'outside')
    await mkdir(outside, { mode: 0o700 })
    await writeFile(join(outside, 'manifest.json'), 'secret of root')
    await rename(data, `${data}-old`)
    symlinkSync(outside, data)
    lchownSync(data, owner, owner)
    for (const path of [data, join(data, 'new')]) {
      const { status, stdout, stderr } = run(format(path), folder, input)
      expect(status).not.toBe(0)
      expect(stdout + stderr).not.toContain('secret')
    }
    expect(readdirSync(outside)).toEqual(['manifest.json'])
    expect(listOwners(outside)).toEqual([0])
  })

  test('reaches a directory below one that only root may enter', async () => {
    const { folder, data } = await makeOwned()
    chownSync(dirname(data), 0, 0)
    await chmod(dirname(data), 0o700)
    const created = run(['account', 'create', 'a@example.com', '--data', data], folder)
    expect(created).toMatchObject({ status: 0 })
    expect(run(['account', 'list', '--data', data], folder).stdout).toContain('a@example.com')
    expect(new Set(listOwners(data))).toEqual(new Set([owner]))
  })

  test('a relay runs as that user, for good and without groups of root', async () => {
    const { folder, data } = await makeOwned()
    const home = await makeHome(undefined, { HOME: folder })
    const relay = home.start(['serve', '--port', '0', '--data', data, '--json'])
    await relay.line(value => value.event === 'listening')
    onTestFinished(async () => void (await relay.end('SIGTERM')))
    const status = spawnSync('cat', [`/proc/${relay.child.pid}/status`], {
      encoding: 'utf8',
    }).stdout
    expect(status).toMatch(/^Uid:\t54321\t54321\t54321\t54321$/m)
    expect(status).toMatch(/^Gid:\t54321\t54321\t54321\t54321$/m)
    expect(status).toMatch(/^Groups:\t54321 $/m)
    expect(run(['account', 'list', '--data', data], folder)).toMatchObject({ status: 0 })
  })

  test('stays root in a directory of root', async () => {
    const folder = await temporaryFolder()
    const data = join(folder, 'data')
    expect(run(['account', 'create', 'a@example.com', '--data', data], folder)).toMatchObject({
      status: 0,
    })
    expect((await stat(data)).uid).toBe(0)
  })

  test('a log that is a link is not written', async () => {
    const { folder, data } = await makeOwned()
    run(['account', 'create', 'a@example.com', '--data', data], folder)
    const name = readdirSync(data).find(each => each.startsWith('journal-')) ?? ''
    await rename(join(data, name), join(folder, 'home', 'elsewhere'))
    symlinkSync(join(folder, 'home', 'elsewhere'), join(data, name))
    const ran = run(['account', 'create', 'b@example.com', '--data', data], folder)
    expect(ran.status).not.toBe(0)
    expect(ran.stderr).toMatch(/^smsrelay: .*\n$/)
  })
})
