import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type NewAccount, newAccount } from '../../src/contract/account-schema.js'

/** The built service, whose clock is set from here. */
export interface Service {
  readonly url: string
  readonly owner: NewAccount
  /** Sets its clock, to milliseconds since the epoch. */
  setClock(at: number): Promise<void>
  stop(): Promise<void>
}

const programPath = join(import.meta.dirname, '..', '..', '..', 'bin', 'run.js')

/** Starts the built service on an empty directory, at a time in milliseconds since the epoch. */
export async function startService(directory: string, at: number): Promise<Service> {
  const data = join(directory, 'data')
  const child = fork(programPath, ['serve', '--port', '0', '--data', data, '--json'], {
    execArgv: ['--import', new URL('clock.js', import.meta.url).href],
    env: { PATH: process.env.PATH, HOME: directory, SMSRELAY_CONFIG_DIR: directory },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  await setClock(child, at)
  const told: Record<string, unknown>[] = []
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    told.push(JSON.parse(line))
    if (told.at(-1)?.event === 'listening') break
  }
  const [account, listening] = told
  return {
    url: String(listening?.url),
    owner: newAccount.parse(account),
    setClock: async time => await setClock(child, time),
    stop: async () => await stop(child),
  }
}

async function setClock(child: ChildProcess, at: number): Promise<void> {
  const heard = once(child, 'message')
  child.send(at)
  await heard
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
