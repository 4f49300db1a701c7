import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type NewAccount, newAccount } from '../../src/contract/account-schema.js'

/** The built relay with a clock that the caller sets. */
export interface Service {
  readonly url: string
  readonly owner: NewAccount
  /** Sets the clock, in milliseconds since the epoch. */
  setClock(at: number): Promise<void>
  stop(): Promise<void>
}

const programPath = join(import.meta.dirname, '..', '..', '..', 'bin', 'run.js')

/** Starts the built relay with an empty directory; `at` is in milliseconds since the epoch. */
export async function startService(directory: string, at: number): Promise<Service> {
  const data = join(directory, 'data')
  const child = fork(programPath, ['serve', '--port', '0', '--data', data, '--json'], {
    execArgv: ['--import', new URL('clock.js', import.meta.url).href],
    env: { PATH: process.env.PATH, HOME: directory, SMSRELAY_CONFIG_DIR: directory },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  await setClock(child, at)
  const lines: Record<string, unknown>[] = []
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    lines.push(JSON.parse(line))
    if (lines.at(-1)?.event === 'listening') break
  }
  const [account, listening] = lines
  return {
    url: String(listening?.url),
    owner: newAccount.parse(account),
    setClock: async time => await setClock(child, time),
    stop: async () => await stop(child),
  }
}

async function setClock(child: ChildProcess, at: number): Promise<void> {
  const confirmed = once(child, 'message')
  child.send(at)
  await confirmed
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
