import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { findFreePort } from '../ports/free-ports.js'

/** A PostgreSQL of its own, as run-postgres.js starts it. */
export interface RunningPostgres {
  readonly url: string
  readonly pid: number
  readonly directory: string
  /** The command that starts the server again after it was killed. */
  readonly start: readonly [program: string, ...args: string[]]
  /** Stops the server and removes its directory. */
  stop(): Promise<void>
}

const root = join(import.meta.dirname, '..', '..', '..')
const script = join(root, 'tools', 'postgres', 'run-postgres.js')

/** Settings of a server that loses nothing in a power cut. */
export const durableSettings = ['fsync=on', 'full_page_writes=on'] as const

/** Starts a PostgreSQL with settings of postgresql.conf, `NAME=VALUE`. */
export async function startPostgres(settings: readonly string[]): Promise<RunningPostgres> {
  // Ctrl-C in a terminal must not reach it: it stops the server when its standard input ends.
  const args = [script, `port=${await findFreePort()}`, ...settings]
  const keeper = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  })
  const stop = async (): Promise<void> => {
    keeper.stdin.end()
    if (keeper.exitCode === null) await once(keeper, 'exit')
  }
  for await (const line of createInterface({ input: keeper.stdout })) {
    return { ...JSON.parse(line), stop }
  }
  throw new Error('PostgreSQL did not start.')
}

/** Length of a clock tick of the kernel, in microseconds. */
const tick = 10_000

/** Microseconds of processor time that a server has used with all its processes (Linux). */
export function readCpuTime(postmaster: number): number {
  let ticks = 0
  for (const name of readdirSync('/proc').filter(each => /^\d+$/.test(each))) {
    const stat = readProcess(name)
    if (Number(name) === postmaster) ticks += stat.own + stat.ended
    else if (stat.parent === postmaster) ticks += stat.own
  }
  return ticks * tick
}

function readProcess(pid: string): { parent: number; own: number; ended: number } {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The fields after the name, which is in parentheses: proc(5), from `state` on.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const sum = (from: number): number => (fields[from] ?? 0) + (fields[from + 1] ?? 0)
    return { parent: fields[1] ?? 0, own: sum(11), ended: sum(13) }
  } catch {
    return { parent: 0, own: 0, ended: 0 }
  }
}
