import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommandLine } from '../../../src/cli/program/run-command-line.js'
import { testIo } from '../streams.js'

let root = ''

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'smsrelay-dispatch-'))
  const oclif = { bin: 'smsrelay', topicSeparator: ' ', commands: './commands' }
  const packageJson = { name: 'smsrelay', version: '1.2.3', oclif }
  const none = { aliases: [], args: {}, flags: {}, pluginType: 'core', relativePath: ['none.js'] }
  const command = (id: string) => [id, { id, ...none }]
  const ids = ['login', 'message:send', 'message:get']
  const commands = Object.fromEntries(
    [...ids, 'phone', 'phone:doctor', 'service:install'].map(command),
  )
  await writeFile(join(root, 'package.json'), JSON.stringify(packageJson))
  const manifest = JSON.stringify({ version: '1.2.3', commands })
  await writeFile(join(root, 'oclif.manifest.json'), manifest)
  const files = Object.fromEntries(Object.keys(commands).map(id => [id, 'none.js']))
  await mkdir(join(root, 'dist'))
  await writeFile(join(root, 'dist/commands.json'), JSON.stringify(files))
})

afterAll(async () => await rm(root, { recursive: true }))

describe('runCommandLine', () => {
  it.each([
    [['--version'], 'smsrelay 1.2.3\n'],
    [['version'], 'smsrelay 1.2.3\n'],
    [['-v'], 'smsrelay 1.2.3\n'],
    [['--version', '--json'], '{"version":"1.2.3"}\n'],
  ])('%j prints the version', async (argv, text) => {
    const io = testIo()
    await runCommandLine(argv, root, io)
    expect(io.out()).toBe(text)
  })

  it.each(['exit-codes', 'environment'])(
    'help %s prints the topic as wide as the terminal',
    async topic => {
      for (const [columns, most] of [
        [undefined, 100],
        [0, 100],
        [200, 100],
        [72, 72],
      ] as const) {
        const io = testIo()
        const stdout = columns === undefined ? io.stdout : Object.assign(io.stdout, { columns })
        await runCommandLine(['help', topic], root, { ...io, stdout })
        expect(io.out()).toMatch(/\n(EXIT CODES|CONNECTION)\n/)
        const widest = Math.max(
          ...io
            .out()
            .split('\n')
            .map(line => line.length),
        )
        expect(widest).toBeLessThanOrEqual(most)
        expect(widest).toBeGreaterThan(most - 8)
      }
    },
  )

  it.each([
    [['lgin'], '"lgin"', 'smsrelay login'],
    [['mesage', 'send', 'x'], '"mesage"', 'smsrelay message send'],
    [['message', 'gte'], '"message gte"', 'smsrelay message get'],
    [['messages', 'gte'], '"message gte"', 'smsrelay message get'],
    [['subscription', 'list'], '"hook"', '--help'],
    [['phone', 'list'], '"status"', '--help'],
    [['help', 'secret-urls'], '"url"', '--help'],
    [['phone', 'docter'], '"phone docter"', 'smsrelay phone doctor'],
    [['service', '--json'], 'smsrelay service', '--help'],
    [['message', 'foo'], '"message foo"', 'smsrelay message'],
    [['xyz', 'secret'], '"xyz"', 'smsrelay --help'],
    [['help', 'xyz'], '"xyz"', 'smsrelay --help'],
    [['help', 'constructor'], '"constructor"', 'smsrelay --help'],
    [['xyz', '--help'], '"xyz"', 'smsrelay --help'],
    [['--json', 'login'], 'command', 'smsrelay --help'],
    [['message', '--json'], 'smsrelay message', '--help'],
  ])('%j is a usage error that names %s and suggests %s', async (argv, named, hint) => {
    await expect(runCommandLine(argv, root, testIo())).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(named),
      hint: expect.stringContaining(hint),
    })
  })
})
