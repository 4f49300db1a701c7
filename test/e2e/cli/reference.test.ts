import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listFiles, readText } from '../../source-tree.js'
import { makeHome, program, serve } from '../program.js'

interface Flag {
  readonly name: string
  readonly type: string
  readonly env?: string
  readonly hidden?: boolean
  readonly helpValue?: string
}

interface Command {
  readonly id: string
  readonly hidden?: boolean
  readonly flags: Readonly<Record<string, Flag>>
}

const root = join(program, '..', '..')
const { commands }: { commands: Readonly<Record<string, Command>> } = JSON.parse(
  await readFile(join(root, 'oclif.manifest.json'), 'utf8'),
)
const flags = Object.values(commands).flatMap(({ id, flags }) =>
  Object.values(flags)
    .filter(flag => flag.hidden !== true)
    .map(flag => ({ id, ...flag })),
)

/** Variables that say more than the name of their flag. */
const longerNames: Readonly<Record<string, string>> = {
  data: 'SMSRELAY_DATA_DIR',
  database: 'SMSRELAY_DATABASE_URL',
  journal: 'SMSRELAY_JOURNAL_DIR',
  state: 'SMSRELAY_STATE_DIR',
  use: 'SMSRELAY_PHONE_SETUP',
}

function toVariable(...words: readonly string[]): string {
  return `SMSRELAY_${words.join('_').toUpperCase().replaceAll('-', '_')}`
}

test('every shown flag has an environment variable with its name, topic or command', () => {
  const wrong = flags.filter(({ id, name, env, hidden }) => {
    if (hidden === true) return false
    const words = id.split(':')
    const prefixes = [[], ...words.map((_, index) => words.slice(0, index + 1))]
    const names = prefixes.map(prefix => toVariable(...prefix, name))
    return env === undefined || ![...names, longerNames[name]].includes(env)
  })
  expect(wrong.map(({ id, name, env }) => `${id} --${name} ${env}`)).toEqual([])
})

/** The value of these has another name in the help of some commands, but is of the same kind. */
const otherValues = ['SMSRELAY_HOOK_SECRET', 'SMSRELAY_MESSAGE_TEXT']

test('flags with the same environment variable have the same name, type and value', () => {
  const kinds = new Map<string, Set<string>>()
  for (const { name, type, env = '', helpValue } of flags) {
    const value = otherValues.includes(env) ? '' : helpValue
    kinds.set(env, (kinds.get(env) ?? new Set()).add(`${name} ${type} ${value}`))
  }
  expect([...kinds].filter(([, same]) => same.size > 1).map(([variable]) => variable)).toEqual([])
})

test('environment variables set flags of every kind', async () => {
  const home = await makeHome()
  const { url } = await serve(home)
  const run = async (env: NodeJS.ProcessEnv, ...args: readonly string[]) =>
    await (await makeHome(undefined, { ...home.env, ...env })).run(args)
  const to = '+12025550123'
  const set = { SMSRELAY_URL: url, SMSRELAY_JSON: 'true', SMSRELAY_URL_TO: `${to}\n+12025550124` }
  const created = await run(set, 'url', 'create', '--text', 'Hello')
  expect(JSON.parse(created.stdout)).toMatchObject({ destination: [to, '+12025550124'] })
  const refused = await run({ ...set, SMSRELAY_CONFIRM: 'maybe' }, 'url', 'create')
  expect(JSON.parse(refused.stdout).error.message).toContain('SMSRELAY_CONFIRM')
  const help = await run({ SMSRELAY_HELP: '1' }, 'login')
  expect(help.stdout).toContain('USAGE')
  expect(help.stdout, 'an alternative to a flag that login does not have').not.toContain('| ]')
})

test('the generated pages are what the build generates; npm run reference updates them', () => {
  expect(readText('docs/reference/cli.md')).toBe(readText('dist/reference/cli.md'))
  expect(readText('docs/operate/examples/smsrelay.toml')).toBe(
    readText('dist/reference/smsrelay.toml'),
  )
})

test('help names every variable that the program reads', async () => {
  const { stdout } = await (await makeHome()).run(['help', 'environment'])
  const read = listFiles(['src', 'commands'], /\.tsx?$/).flatMap(file => {
    const uses = readText(file).matchAll(/(?:env\.|env: '|env\[')(SMSRELAY_\w+)/g)
    return [...uses].map(([, name = '']) => name)
  })
  const named = new Set(stdout.match(/SMSRELAY_\w+/g))
  expect(read.length).toBeGreaterThan(100)
  expect(read.filter(name => !named.has(name))).toEqual([])
})
