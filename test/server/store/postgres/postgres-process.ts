import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { findFreePort } from '../../../../tools/ports/free-ports.js'
import { projectRoot } from '../../../source-tree.js'

/** A PostgreSQL of its own, with its directory and the user that runs it. */
export interface RunningServer {
  readonly url: string
  readonly directory: string
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
