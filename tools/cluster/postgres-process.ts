import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { durableSettings, type RunningPostgres, startPostgres } from '../postgres/start-postgres.js'
import { type Part, type Print, restartDelay } from './part.js'

/** Starts a PostgreSQL that syncs to the disk; starts it again when it was killed. */
export async function startDatabase(print: Print): Promise<Part> {
  const postgres = await startPostgres(durableSettings)
  print(`PostgreSQL  ${postgres.url}  pid ${postgres.pid}`)
  const stop = new AbortController()
  void watch(postgres, stop.signal, print)
  return {
    url: postgres.url,
    stop: async () => {
      stop.abort()
      await postgres.stop()
    },
  }
}

/** Looks for the server's process and starts it again when it has ended. */
async function watch(postgres: RunningPostgres, stop: AbortSignal, print: Print): Promise<void> {
  const [program, ...args] = postgres.start
  const { uid, gid } = statSync(postgres.directory)
  let { pid } = postgres
  for (;;) {
    await sleep(restartDelay)
    if (stop.aborted) return
    if (isRunning(pid)) continue
    const options = { cwd: postgres.directory, uid, gid, detached: true, stdio: 'ignore' } as const
    const server = spawn(program, args, options)
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
