import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const builtProgram = fileURLToPath(new URL('../../../../bin/run.js', import.meta.url))
const preload = new URL('../injection/preload.js', import.meta.url).href
const exitTimeout = 20_000
const maxErrorLength = 4000

export interface ExitResult {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A process of the program. */
export interface RunningProcess {
  readonly pid: number
  readonly ended: Promise<ExitResult>
  /** The end of its stderr, and its last line on stdout: with `--json` it prints errors there. */
  readErrors(): string
  /** Sends a signal and waits for the exit. A process that does not exit in time gets SIGKILL. */
  end(signal: NodeJS.Signals): Promise<ExitResult>
}

/** Starts the processes of a run. They and their directories do not outlive it. */
export class Processes {
  readonly root: string
  readonly #running = new Set<ChildProcess>()
  #made = 0

  /** @param base where directories are created */
  constructor(base: string) {
    this.root = mkdtempSync(join(base, 'smsrelay-chaos-'))
    process.once('exit', () => this.#end())
  }

  makeDirectory(): string {
    this.#made += 1
    const directory = join(this.root, String(this.#made))
    mkdirSync(directory, { mode: 0o700 })
    return directory
  }

  /** Starts the built program; `onLine` gets each line of its stdout. */
  start(
    args: readonly string[],
    settings: Readonly<Record<string, string>>,
    onLine: (line: string) => void = () => {},
  ): RunningProcess {
    const env = { ...getCleanEnvironment(), HOME: this.root, ...settings }
    const command = ['--import', preload, builtProgram, ...args]
    const child = spawn(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    this.#running.add(child)
    let complaints = ''
    let last = ''
    createInterface({ input: child.stdout }).on('line', line => {
      last = line
      onLine(line)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaints = (complaints + text).slice(-maxErrorLength)
    })
    const ended = once(child, 'close').then(([code, signal]) => {
      this.#running.delete(child)
      return { code, signal } as ExitResult
    })
    const end = async (signal: NodeJS.Signals): Promise<ExitResult> => {
      child.kill(signal)
      return await waitForExit(child, ended)
    }
    return { pid: child.pid ?? 0, ended, readErrors: () => complaints + last, end }
  }

  /** Runs a command to its end; resolves to its stdout. Throws if it fails. */
  async run(args: readonly string[]): Promise<string> {
    const lines: string[] = []
    const running = this.start(args, {}, line => lines.push(line))
    const { code } = await running.ended
    if (code !== 0) throw new Error(`smsrelay ${args.join(' ')} failed: ${running.readErrors()}`)
    return lines.join('\n')
  }

  remove(directory: string): void {
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 })
  }

  #end(): void {
    for (const child of this.#running) child.kill('SIGKILL')
    this.remove(this.root)
  }
}

async function waitForExit(child: ChildProcess, ended: Promise<ExitResult>): Promise<ExitResult> {
  let late = false
  const timer = setTimeout(() => {
    late = true
    child.kill('SIGKILL')
  }, exitTimeout)
  const end = await ended
  clearTimeout(timer)
  return late ? { code: null, signal: 'SIGKILL' } : end
}

function getCleanEnvironment(): Record<string, string | undefined> {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(SMSRELAY_|XDG_|CHAOS_|NODE_OPTIONS$)/.test(name),
  )
  return Object.fromEntries(kept)
}
