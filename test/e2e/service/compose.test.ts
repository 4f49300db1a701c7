// Runs the services of docs/operate/compose.yaml and docs/operate/compose.postgres.yaml as
// processes, with the commands and environment of these files and of the Containerfile. Names of
// containers become addresses of this machine.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { parse } from 'yaml'
import { findPorts } from '../../../tools/ports/free-ports.js'
import { isInstalled } from '../../installed.js'
import { startPostgres } from '../../server/store/postgres/postgres-process.js'
import { projectRoot } from '../../source-tree.js'
import { makeHome, type Running } from '../program.js'

interface Service {
  readonly profiles?: readonly string[]
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly depends_on?: Readonly<Record<string, unknown>> | readonly string[]
  readonly stop_grace_period?: string
}

interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, unknown>>
}

const operate = join(projectRoot, 'docs/operate')
const containerfile = await readFile(join(projectRoot, 'Containerfile'), 'utf8')
const readComposeFile = async (name: string): Promise<ComposeFile> =>
  parse(await readFile(join(operate, name), 'utf8'), { merge: true })
const plainFile = await readComposeFile('compose.yaml')
const databaseFile = await readComposeFile('compose.postgres.yaml')

/** The variables that the image sets. */
const imageEnvironment = Object.fromEntries(
  [...containerfile.matchAll(/^(?:ENV)?\s+([A-Z_]+)=(\S+)/gm)].map(each => each.slice(1, 3)),
)
const imageCommand: string[] = JSON.parse(/^CMD (.*)$/m.exec(containerfile.slice(-200))?.[1] ?? '')

let volumes = ''

beforeEach(async () => {
  volumes = await mkdtemp(join(tmpdir(), 'smsrelay-volumes-'))
  return async () => await rm(volumes, { recursive: true, force: true, maxRetries: 5 })
})

/** How a container becomes a process of this machine. */
interface Place {
  readonly port?: number
  /** Replaces the names of other containers. */
  replace(value: string): string
  /** Instead of the command of the service. */
  readonly args?: readonly string[]
}

/** Starts a service, with the variables of a file `.env`. */
async function startService(
  name: string,
  dotEnv: Readonly<Record<string, string>>,
  { port = 0, replace, args }: Place,
): Promise<Running> {
  const { environment = {}, command = imageCommand, volumes: mounts = [] } = getService(name)
  const volume = mounts.map(each => each.split(':')).find(each => each[1] === '/data')?.[0] ?? ''
  const resolved = Object.entries({ ...imageEnvironment, ...environment }).map(([key, value]) => {
    const text = String(value).replace(/\$\{(\w+):([-?])(.*?)\}/g, (_, variable, sign, other) => {
      const given = dotEnv[variable] || undefined
      if (given === undefined && sign === '?') throw new Error(`${variable}: ${other}`)
      return given ?? other
    })
    return [key, replace(text).replace(/^\/data\b/, join(volumes, volume))]
  })
  const home = await makeHome(undefined, {
    ...Object.fromEntries(resolved),
    // Every container listens on all of its own addresses, and on the same port.
    SMSRELAY_HOST: '127.0.0.1',
    SMSRELAY_PORT: String(port),
  })
  return home.start(args ?? command)
}

function getService(name: string): Service {
  const service = plainFile.services[name] ?? databaseFile.services[name]
  if (service === undefined) throw new Error(`There is no service ${name}.`)
  return service
}

/** A database server with the user, the database and the password of the service `postgres`. */
async function runDatabase(): Promise<{ readonly port: string; readonly password: string }> {
  const { POSTGRES_USER: user, POSTGRES_DB: database } = getService('postgres').environment ?? {}
  const password = 'from .env'
  const { url, directory, stop } = await startPostgres()
  onTestFinished(stop)
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(`alter role ${user} password '${password}'`)
  await client.query(`create database ${database} owner ${user}`)
  await writeFile(join(directory, 'data/pg_hba.conf'), 'host all all all scram-sha-256\n')
  await client.query('select pg_reload_conf()')
  await client.end()
  return { port: new URL(url).port, password }
}

async function runProxy(port: number, nodes: readonly number[]): Promise<void> {
  const text = await readFile(join(operate, 'proxies/haproxy.cfg'), 'utf8')
  const file = join(volumes, 'haproxy.cfg')
  const own = text
    .replace('maxconn 10000', 'maxconn 100')
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    .replace(/node(\d):8080/g, (_, number) => `127.0.0.1:${nodes[number - 1]}`)
  await writeFile(file, own)
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
}

async function waitUntilReady(url: string): Promise<void> {
  const isReady = async () =>
    await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await expect.poll(isReady).toBe(true)
}

/** Sends a text with the keys of the owner, which a phone service sends on; then stops all. */
async function sendOneText(
  url: string,
  keysFile: string,
  replace: (value: string) => string,
): Promise<void> {
  // The relay answers before it has created the first account.
  const file = join(volumes, keysFile)
  const readKeys = async () => {
    const text = await readFile(file, 'utf8')
    return ['srs', 'sra', 'srp'].map(prefix => {
      const key = new RegExp(`${prefix}_\\S+(?=\n)`).exec(text)
      if (key === null) throw new Error('The file is not complete.')
      return key[0]
    })
  }
  const [user = '', api = '', app = ''] = await vi.waitFor(readKeys, { timeout: 60_000 })
  const dotEnv = { SMSRELAY_URL: url, SMSRELAY_SECRET_KEY: user, SMSRELAY_APP_KEY: app }
  const setup = ['phone', 'setup', 'default', '--driver', 'simulate']
  const done = await startService('phone', dotEnv, { replace, args: setup })
  expect(await done.ended).toMatchObject({ code: 0 })
  const phone = await startService('phone', dotEnv, { replace })
  const sender = await makeHome(undefined, {
    SMSRELAY_URL: url,
    SMSRELAY_SECRET_KEY: user,
    SMSRELAY_API_KEY: api,
  })
  const sent = await sender.run(['message', 'send', '+12025550123', 'Hello', '--wait'])
  expect(sent).toMatchObject({ code: 0, stdout: expect.stringMatching(/^status +sent$/m) })
  expect(await phone.end('SIGTERM')).toBe(0)
}

test.each([
  ['compose.yaml', plainFile],
  ['compose.postgres.yaml', databaseFile],
])('every volume and every service that %s names exists', (_, file) => {
  const named = Object.values(file.services).flatMap(service => service.volumes ?? [])
  const own = named.filter(each => !each.startsWith('.')).map(each => each.split(':')[0])
  expect([...new Set(own)].sort()).toEqual(Object.keys(file.volumes).sort())
  for (const { depends_on: others = [], profiles } of Object.values(file.services)) {
    for (const other of Array.isArray(others) ? others : Object.keys(others)) {
      expect(file.services[other]?.profiles).toEqual(profiles)
    }
  }
})

test('the set-up with a database needs a password, and the plain one no variable', async () => {
  expect(await readFile(join(operate, 'compose.yaml'), 'utf8')).not.toMatch(/\$\{\w+:?\?/)
  const replace = (text: string): string => text
  for (const name of ['node1', 'node2', 'postgres']) {
    await expect(startService(name, {}, { replace })).rejects.toThrow('POSTGRES_PASSWORD: set it')
  }
})

test('the profiles embedded and phone send a text', async () => {
  const [port = 0] = await findPorts(1)
  const replace = (text: string): string => text.replace(':8080', `:${port}`)
  const relay = await startService('relay', {}, { port, replace })
  const url = `http://127.0.0.1:${port}`
  await waitUntilReady(url)
  await sendOneText(url, 'relay-data/relay/owner-keys-default.txt', replace)
  expect(await relay.end('SIGTERM')).toBe(0)
})

test.skipIf(!isInstalled('haproxy', 'compose.postgres.yaml'))(
  'two nodes on a database and a phone send a text, also after a node has stopped',
  async () => {
    const [port = 0, ...nodePorts] = await findPorts(3)
    const database = await runDatabase()
    const url = `http://127.0.0.1:${port}`
    const replace = (text: string): string =>
      text.replace('@postgres/', `@127.0.0.1:${database.port}/`).replace(':8080', `:${port}`)
    const nodes: Running[] = []
    for (const [index, nodePort] of nodePorts.entries()) {
      const dotEnv = { POSTGRES_PASSWORD: database.password }
      const place = { port: nodePort, replace }
      nodes.push(await startService(`node${index + 1}`, dotEnv, place))
      await waitUntilReady(`http://127.0.0.1:${nodePort}`)
    }
    await runProxy(port, nodePorts)
    await waitUntilReady(url)
    const keys = 'node-data/config/owner-keys-default.txt'
    await sendOneText(url, keys, replace)
    expect(await nodes[0]?.end('SIGTERM')).toBe(0)
    await sendOneText(url, keys, replace)
    expect(await nodes[1]?.end('SIGTERM')).toBe(0)
  },
  120_000,
)
