// Runs every command with the keys of an account, with wrong keys and without a relay, and searches
// all its output for keys, tokens and passwords, and the log of the relay also for texts.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { RelayClient } from '../../src/index.js'
import { openLog } from '../../src/server/log/open-log.js'
import { createClock } from '../../src/util/async/clock.js'
import { createSink } from '../cli/streams.js'
import { createRelay } from '../quick-relay.js'
import { findPlanted } from '../server/log/planted-values.js'
import { listFiles, projectRoot } from '../source-tree.js'
import { temporaryFolder } from '../temporary-folder.js'
import { type CommandResult, type RunningCommand, start } from './harness.js'

type CommandClass = Parameters<typeof start>[0] & { readonly baseFlags: object }

const number = '+12025550187'
const text = 'a planted "text" äöü'
const email = 'ann@example.com'
const password = 'planted horse battery'
const wrong = ['srs_planted-wrong-one', 'sra_planted-wrong-one', 'srp_planted-wrong-one']
const database = 'postgres://planted:planted-database-password@127.0.0.1:1/relay'

/** Tested in private-logs.test.ts of the server. */
const elsewhere = ['serve']
/** Commands that do not end by themselves; they are interrupted. */
const endless = new Set(['hook listen', 'message watch'])

type Loaded = readonly [name: string, command: CommandClass]

async function loadCommands(): Promise<Loaded[]> {
  const commands: Loaded[] = []
  for (const file of listFiles(['commands'], /\.ts$/)) {
    const path = file.replace(/^commands\/|\.ts$/g, '').replace('hook/subscription/', 'hook/')
    const { href } = pathToFileURL(join(projectRoot, file))
    const { default: command }: { default: CommandClass } = await import(/* @vite-ignore */ href)
    commands.push([path.replaceAll('/', ' '), command])
  }
  return commands.filter(([name]) => !elsewhere.includes(name))
}

/** A relay with records, whose log is recorded, and files for commands. */
async function startRecords() {
  const folder = await temporaryFolder()
  const { stream, text: readLog } = createSink()
  const log = openLog({ stream, level: 'debug', format: 'json', clock: createClock() })
  const dataDir = join(folder, 'data')
  let shift = 0
  const now = () => Date.now() + shift
  const relay = await createRelay({ dataDir, port: 0 }, { log, now })
  onTestFinished(async () => await relay.stop())
  await relay.start()
  const account = await relay.administration.createAccount({ email, password })
  const credentials = { user: account.secret_key, password: account.api_key }
  const client = new RelayClient({ url: relay.url, credentials })
  const url = 'http://127.0.0.1:9/'
  const ids = {
    message: (await client.messages.create({ destination: number, message: text })).id,
    hook: (await client.subscriptions.create({ event: 'message.sent', url })).id,
    url: (await client.secretUrls.create({ name: text })).id,
    mailbox: (await client.mailboxes.create({})).id,
  }
  const files = await writeFiles(folder)
  /** Lets time pass until the relay does not limit sign-in attempts any more. */
  const forgetFailures = () => {
    shift += 3_600_000
  }
  return { folder, dataDir, relay, account, ids, files, readLog, forgetFailures }
}

type Records = Awaited<ReturnType<typeof startRecords>>

async function writeFiles(folder: string) {
  const write = async (name: string, content: string): Promise<string> => {
    await writeFile(join(folder, name), content)
    return join(folder, name)
  }
  await mkdir(join(folder, 'config'))
  return {
    config: await write('relay.toml', `database = "${database}"\nwhat = 1\n`),
    numbers: await write('numbers.csv', `number,note\n${number},${text}\nno number,x\n`),
    webhook: await write('webhook', `POST / HTTP/1.1\r\nAuthorization: Basic x\r\n\r\n${text}`),
  }
}

/** What a command gets besides the connection, by its name or by its topic. */
const given: Readonly<Record<string, (records: Records) => readonly string[]>> = {
  account: ({ dataDir }) => [email, '--data', dataDir],
  'account create': ({ dataDir }) => ['new@example.com', '--data', dataDir],
  'account delete': ({ dataDir }) => ['gone@example.com', '--data', dataDir, '--yes'],
  'account list': ({ dataDir }) => ['--data', dataDir],
  'account rotate': ({ dataDir }) => ['gone@example.com', '--data', dataDir],
  complete: () => ['messages'],
  completion: () => ['bash'],
  config: ({ files }) => ['--config', files.config],
  data: ({ dataDir }) => ['--data', dataDir],
  'data backup': ({ dataDir, folder }) => [join(folder, 'backup'), '--data', dataDir],
  'data import': ({ dataDir, files }) => [files.numbers, '--data', dataDir],
  database: () => ['--database', database],
  'do-not-text add': () => [number, '--note', text],
  'do-not-text import': ({ files }) => [files.numbers],
  'do-not-text remove': () => [number],
  hook: ({ ids }) => [ids.hook],
  'hook create': () => ['message.create', 'http://127.0.0.1:9/?text=planted'],
  'hook edit': ({ ids }) => [ids.hook, '--method', 'PUT'],
  'hook events': () => [],
  'hook list': () => [],
  'hook listen': () => [],
  'hook replay': ({ ids }) => [ids.hook, '--from', '1'],
  'hook resend': ({ ids }) => [ids.hook, '1'],
  'hook secret': () => [],
  'hook trigger': () => ['message.sent'],
  'mailbox delete': ({ ids }) => [ids.mailbox],
  message: ({ ids }) => [ids.message],
  'message edit': ({ ids }) => [ids.message, '--text', text],
  'message list': () => [],
  'message received': () => [],
  'message send': () => [number, text],
  'message watch': () => [],
  phone: () => ['--driver', 'simulate'],
  'phone ': () => ['--driver', 'simulate', '--once'],
  'phone forget': () => ['planted'],
  'phone presets': () => [],
  'service install': () => ['--print'],
  'service uninstall': () => [],
  'phone setup': () => ['planted', '--driver', 'simulate'],
  'phone setups': () => [],
  'phone test': () => [number, '--driver', 'simulate'],
  'phone ussd': () => ['*100#', '--driver', 'simulate'],
  profile: () => ['default'],
  'profile list': () => [],
  'profile rename': () => ['default', 'other'],
  'token revoke': () => ['srt_planted-wrong-token'],
  'url revoke': ({ ids }) => [ids.url],
  verify: ({ relay }) => [relay.url, '--only', '4.4'],
}

function getArguments(name: string, records: Records): readonly string[] {
  const [topic = ''] = name.split(' ')
  const find = given[name === topic ? `${name} ` : name] ?? given[name] ?? given[topic]
  return find?.(records) ?? []
}

/** Resolves to what a command printed; an endless one is interrupted when it can be. */
async function finish(running: RunningCommand, isEndless: boolean): Promise<CommandResult> {
  let hasEnded = false
  const ended = running.ended.finally(() => {
    hasEnded = true
  })
  if (isEndless) {
    const canEnd = () => hasEnded || running.signals.listenerCount('SIGINT') > 0
    await expect.poll(canEnd).toBe(true)
    running.signals.emit('SIGINT')
  }
  return await ended
}

/** Lists the tokens in the files of commands. */
async function readTokens(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile())
  const texts = await Promise.all(
    files.map(async ({ parentPath, name }) => await readFile(join(parentPath, name), 'utf8')),
  )
  return texts.flatMap(content => content.match(/srt_[\w-]+/g) ?? [])
}

test('no command prints a key, token or password, and no log has more', async () => {
  const records = await startRecords()
  const { relay, account, folder, readLog, forgetFailures } = records
  const valid = [account.secret_key, account.api_key, account.app_key]
  const connect = (url: string, [secret = '', api = '', app = '']: readonly string[]) => [
    ...['--url', url, '--secret-key', secret, '--api-key', api, '--app-key', app],
  ]
  const env = { SMSRELAY_CONFIG_DIR: join(folder, 'config'), HOME: folder, SMSRELAY_DEBUG: '1' }
  const printing: string[] = []
  const noting = new Set<string>()
  const secrets = [...valid, ...wrong, password, 'planted-database-password']
  const use = async ([name, command]: Loaded, connection: readonly string[]) => {
    const argv = [...getArguments(name, records), ...connection]
    const running = start(command, argv, { env, stdin: `${password}\n` })
    const { stdout, stderr } = await finish(running, endless.has(name))
    const tokens = await readTokens(env.SMSRELAY_CONFIG_DIR)
    if (findPlanted(stdout + stderr, [...secrets, ...tokens]).length > 0) printing.push(name)
    if (findPlanted(stderr, [number, text]).length > 0) noting.add(name)
  }
  const commands = await loadCommands()
  const calling = commands.filter(([, command]) => 'secret-key' in command.baseFlags)
  for (const each of commands)
    await use(each, calling.includes(each) ? connect(relay.url, valid) : [])
  for (const each of calling) {
    forgetFailures()
    await use(each, [...connect(relay.url, wrong), '--json'])
  }
  const nowhere = connect('http://127.0.0.1:9', valid)
  await Promise.all(calling.map(async each => await use(each, nowhere)))
  expect(calling.length).toBeGreaterThan(40)
  // It is the only one whose purpose that is.
  expect(printing).toEqual(['data export'])
  // It asks before it sends a real text to the number.
  expect([...noting]).toEqual(['phone test'])
  expect(findPlanted(readLog(), [...secrets, number, text])).toEqual([])
})
