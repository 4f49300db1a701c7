import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Part, type Print, restartDelay } from './part.js'

const script = join(import.meta.dirname, '..', '..', '..', 'tools', 'postgres', 'run-postgres.js')

/** What the script prints when the server accepts connections. */
interface Started {
  readonly url: string
  readonly pid: number
  readonly directory: string
  /** The command that starts the server again. */
  readonly start: readonly [program: string, ...args: string[]]
}

/** Starts a PostgreSQL that syncs to the disk; starts it again when it was killed. */
export async function startPostgres(print: Print): Promise<Part> {
  const keeper = spawn(process.execPath, [script, 'fsync=on', 'full_page_writes=on'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  })
  const started = await readStart(keeper)
  print(`PostgreSQL  ${started.url}  pid ${started.pid}`)
  const stop = new AbortController()
  void watch(started, stop.signal, print)
  return {
    url: started.url,
    stop: async () => {
      stop.abort()
      keeper.stdin?.end()
      if (keeper.exitCode === null) await once(keeper, 'exit')
    },
  }
}

async function readStart(keeper: ChildProcess): Promise<Started> {
  for await (const line of createInterface({ input: keeper.stdout as NodeJS.ReadableStream })) {
    return JSON.parse(line)
  }
  throw new Error('PostgreSQL did not start.')
}

/** Looks for the server's process and starts it again when it has ended. */
async function watch(started: Started, stopping: AbortSignal, print: Print): Promise<void> {
  const { directory, start } = started
  const { uid, gid } = statSync(directory)
  let { pid } = started
  for (;;) {
    await sleep(restartDelay)
    if (stopping.aborted) return
    if (isRunning(pid)) continue
    const [program, ...args] = start
    const server = spawn(program, args, {
      cwd: directory,
      uid,
      gid,
      detached: true,
      stdio: 'ignore',
    })
    server.on('error', () => {})
    server.unref()
    pid = server.pid ?? pid
    print(`PostgreSQL ended; it starts again, pid ${pid}`)
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
