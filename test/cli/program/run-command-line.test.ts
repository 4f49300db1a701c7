import { mkdtemp, rm, writeFile } from 'node:fs/promises'
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
    [...ids, 'phone', 'phone:doctor', 'phone:service:install'].map(command),
  )
  await writeFile(join(root, 'package.json'), JSON.stringify(packageJson))
  const manifest = JSON.stringify({ version: '1.2.3', commands })
  await writeFile(join(root, 'oclif.manifest.json'), manifest)
})

afterAll(async () => await rm(root, { recursive: true }))

describe('dispatch', () => {
  it.each([
    [['--version'], 'smsrelay 1.2.3\n'],
    [['version'], 'smsrelay 1.2.3\n'],
    [['--version', '--json'], '{"version":"1.2.3"}\n'],
  ])('%j prints the version', async (argv, text) => {
    const io = testIo()
    await runCommandLine(argv, root, io)
    expect(io.out()).toBe(text)
  })

  it.each(['exit-codes', 'environment'])('help %s explains it', async topic => {
    const io = testIo()
    await runCommandLine(['help', topic], root, io)
    expect(io.out()).toMatch(/\n(EXIT CODES|ENVIRONMENT)\n/)
  })

  it.each([
    [['lgin'], 'There is no command "lgin".', 'Did you mean `smsrelay login`?'],
    [
      ['mesage', 'send', 'x'],
      'There is no command "mesage".',
      'Did you mean `smsrelay message send`?',
    ],
    [
      ['message', 'gte'],
      'There is no command "message gte".',
      'Did you mean `smsrelay message get`?',
    ],
    [
      ['phone', 'docter'],
      'There is no command "phone docter".',
      'Did you mean `smsrelay phone doctor`?',
    ],
    [['phone', 'service', '--json'], '`smsrelay phone service` needs a command.', 'See --help.'],
    [['message', 'foo'], 'There is no command "message foo".', 'Did you mean `smsrelay message`?'],
    [['xyz', 'secret'], 'There is no command "xyz".', 'See smsrelay --help.'],
    [['help', 'xyz'], 'There is no command "xyz".', 'See smsrelay --help.'],
    [['help', 'constructor'], 'There is no command "constructor".', 'See smsrelay --help.'],
    [['xyz', '--help'], 'There is no command "xyz".', 'See smsrelay --help.'],
    [['--json', 'login'], 'A command comes before its flags.', 'See smsrelay --help.'],
    [['message', '--json'], '`smsrelay message` needs a command.', 'See --help.'],
  ])('%j is a usage error', async (argv, message, hint) => {
    const usage = { code: 'usage', message, hint }
    await expect(runCommandLine(argv, root, testIo())).rejects.toMatchObject(usage)
  })
})
