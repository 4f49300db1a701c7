import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setImmediate } from 'node:timers/promises'
import { findFreePort } from '../../../../tools/ports/free-ports.js'
import { projectRoot } from '../../../source-tree.js'

/** A PostgreSQL of its own, with its directory and the user that runs it. */
export interface RunningServer {
  readonly url: string
  readonly directory: string
  /** The command that starts the server again after {@link endServer}. */
  readonly start: readonly [program: string, ...args: string[]]
  stop(): Promise<void>
}

/** Starts a PostgreSQL with settings of postgresql.conf, `NAME=VALUE`. */
export async function startPostgres(settings: readonly string[] = []): Promise<RunningServer> {
  const program = join(projectRoot, 'tools/postgres/run-postgres.js')
  const stdio = ['pipe', 'pipe', 'inherit'] as const
  const args = [`port=${await findFreePort()}`, ...settings]
  const child = spawn(process.execPath, [program, ...args], { stdio: [...stdio] })
  const ended = once(child, 'exit')
  const stop = async (): Promise<void> => {
    child.stdin?.end()
    await ended
  }
  if (child.stdout === null) throw new Error('no output')
  for await (const line of createInterface(child.stdout)) return { ...JSON.parse(line), stop }
  throw new Error('PostgreSQL did not start.')
}

/** Ends a server as its administrator does, and keeps its data. */
export async function endServer({ directory }: RunningServer): Promise<void> {
  const pid = await readPid(directory)
  process.kill(pid, 'SIGINT')
  while ((await readPid(directory).catch(() => 0)) === pid) await setImmediate()
}

/** Starts a server again. */
export function restartServer({ directory, start }: RunningServer): void {
  const { uid, gid } = statSync(directory)
  const [program, ...args] = start
  const options = { cwd: directory, uid, gid, detached: true, stdio: 'ignore' } as const
  spawn(program, args, options).unref()
}

async function readPid(directory: string): Promise<number> {
  return Number((await readFile(join(directory, 'data', 'postmaster.pid'), 'utf8')).split('\n')[0])
}
