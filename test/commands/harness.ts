import { EventEmitter } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { Config } from '@oclif/core/config'
import { beforeAll, onTestFinished } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import type { BaseCommand } from '../../src/cli/command/base-command.js'
import type { Io } from '../../src/cli/terminal/io.js'
import { type NewAccount, type Relay, RelayClient } from '../../src/index.js'
import { type Clock, createClock } from '../../src/util/async/clock.js'
import { findFreePort } from '../../tools/ports/free-ports.js'
import { createSink } from '../cli/streams.js'
import { createRelay } from '../quick-relay.js'

export interface CommandResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface CommandInput {
  readonly env?: Record<string, string>
  /** Piped text. @default an empty pipe */
  readonly stdin?: string | Uint8Array
  /** A stream to use as stdin, instead of {@link stdin}. */
  readonly input?: Readable
  /** @default the clock of this machine */
  readonly clock?: Clock
}

export interface RunningCommand {
  readonly ended: Promise<CommandResult>
  readonly signals: EventEmitter
  /** Resolves when stdout contains this text. */
  waitForOutput(text: string): Promise<void>
  /** Resolves when stderr contains this text. */
  waitForNote(text: string): Promise<void>
  getOutput(): string
}

type CommandClass = new (argv: string[], config: Config, io: Io) => BaseCommand

const root = fileURLToPath(new URL('../..', import.meta.url))
const pjson = { ...packageJson, oclif: { bin: 'smsrelay' } }
const config = await Config.load({ root, pjson })

/** Starts a command in this process. Its monotonic clock advances a second at each reading. */
export function start(
  command: CommandClass,
  argv: readonly string[],
  given: CommandInput = {},
): RunningCommand {
  const out = createSink()
  const err = createSink()
  const signals = new EventEmitter()
  let code = 0
  let seconds = 0
  const io: Io = {
    stdin:
      given.input ?? Readable.from(given.stdin === undefined ? [] : [Buffer.from(given.stdin)]),
    stdout: out.stream,
    stderr: err.stream,
    env: given.env ?? {},
    signals,
    clock: { ...(given.clock ?? createClock()), monotonic: () => seconds++ * 1000 },
    setExitCode: value => {
      code = value
    },
    forceExit: value => {
      throw new Error(`forced to exit with ${value}`)
    },
  }
  const running = new command([...argv], config, io).execute()
  const ended = running.then(() => ({ code, stdout: out.text(), stderr: err.text() }))
  const waitFor = async ({ stream, text }: ReturnType<typeof createSink>, wanted: string) =>
    await new Promise<void>((resolve, reject) => {
      const check = () => text().includes(wanted) && resolve()
      stream.on('written', check)
      ended.then(result => reject(new Error(`ended without it: ${JSON.stringify(result)}`)), reject)
      check()
    })
  return {
    ended,
    signals,
    getOutput: out.text,
    waitForOutput: async text => await waitFor(out, text),
    waitForNote: async text => await waitFor(err, text),
  }
}

export async function run(
  command: CommandClass,
  argv: readonly string[],
  given: CommandInput = {},
): Promise<CommandResult> {
  return await start(command, argv, given).ended
}

/** A relay with one account, and the environment of its commands. */
export interface RelayFixture {
  readonly relay: Relay
  readonly account: NewAccount
  readonly dataDir: string
  readonly env: Record<string, string>
  readonly flags: readonly string[]
}

export function createClient({ relay, account }: RelayFixture): RelayClient {
  const credentials = { user: account.secret_key, password: account.api_key }
  return new RelayClient({ url: relay.url, credentials })
}

/** The lines of a command with --json. */
export function parseLines<T = Record<string, unknown>>(stdout: string): T[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
}

export async function startRelay(): Promise<RelayFixture> {
  const { fixture, close } = await openRelay()
  onTestFinished(close)
  return fixture
}

/** Starts a relay for all tests of a block, which must not affect each other. */
export function startSharedRelay(): () => RelayFixture {
  let shared: RelayFixture | undefined
  beforeAll(async () => {
    const { fixture, close } = await openRelay()
    shared = fixture
    return close
  })
  return () => {
    if (shared === undefined) throw new Error('The relay runs only during tests.')
    return shared
  }
}

async function openRelay(): Promise<{ fixture: RelayFixture; close: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'smsrelay-cli-'))
  const dataDir = join(folder, 'data')
  // No other program gets this port while a test restarts the relay.
  const relay = await createRelay({ dataDir, port: await findFreePort() })
  await relay.start()
  const account = await relay.administration.createAccount({ email: 'ann@example.com' })
  const { secret_key: secret, api_key: api, app_key: app } = account
  const keys = ['--secret-key', secret, '--api-key', api, '--app-key', app]
  const env = { SMSRELAY_CONFIG_DIR: join(folder, 'config') }
  const fixture = { relay, account, dataDir, env, flags: ['--url', relay.url, ...keys] }
  const close = async () => {
    await relay.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return { fixture, close }
}
