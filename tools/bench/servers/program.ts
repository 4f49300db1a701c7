import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** The built relay, as a user starts it. */
export interface RunningProgram {
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
}

const path = join(import.meta.dirname, '..', '..', '..', '..', 'bin', 'run.js')

/** Without the log of requests. */
const quiet = ['--log-level', 'warn']

/** Starts `smsrelay serve` with flags that name its records. */
export async function startProgram(
  flags: readonly string[],
  directory: string,
): Promise<RunningProgram> {
  const child = spawn(
    process.execPath,
    [path, 'serve', '--port', '0', '--json', ...quiet, ...flags],
    {
      env: { PATH: process.env.PATH, HOME: directory, SMSRELAY_CONFIG_DIR: directory },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  for await (const line of createInterface({ input: child.stdout })) {
    const { event, url } = JSON.parse(line) as { event?: string; url?: string }
    if (event !== 'listening') continue
    child.stdout.resume()
    return { url: String(url), pid: child.pid ?? 0, stop }
  }
  throw new Error('The relay did not start.')
}
