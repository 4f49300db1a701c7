import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../../../bin/run.js', import.meta.url))
const preload = new URL('../inside/preload.js', import.meta.url).href
const endsWithin = 20_000
const keptOfStderr = 4000

/** How a process ended. */
export interface End {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A process of a cell. */
export interface Running {
  readonly pid: number
  /** Resolves when the process has ended. */
  readonly ended: Promise<End>
  /** The end of its stderr and its last line of stdout, which has the error with `--json`. */
  complaints(): string
  /** Sends a signal and waits for the end; after a time limit, kills it and throws an error. */
  end(signal: NodeJS.Signals): Promise<End>
}

/** Starts the processes of a run; ends them and removes their directories. */
export class Processes {
  readonly root: string
  readonly #running = new Set<ChildProcess>()
  #made = 0

  /** @param base directory for the directories of the run */
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

  /** Starts the built program; calls `onLine` with each line of its stdout. */
  start(
    args: readonly string[],
    settings: Readonly<Record<string, string>>,
    onLine: (line: string) => void = () => {},
  ): Running {
    const env = { ...withoutSettings(), HOME: this.root, ...settings }
    const command = ['--import', preload, program, ...args]
    const child = spawn(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    this.#running.add(child)
    let complaints = ''
    let last = ''
    createInterface({ input: child.stdout }).on('line', line => {
      last = line
      onLine(line)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaints = (complaints + text).slice(-keptOfStderr)
    })
    const ended = once(child, 'close').then(([code, signal]) => {
      this.#running.delete(child)
      return { code, signal } as End
    })
    const end = async (signal: NodeJS.Signals): Promise<End> => {
      child.kill(signal)
      return await endOf(child, ended)
    }
    return { pid: child.pid ?? 0, ended, complaints: () => complaints + last, end }
  }

  /** Runs a command and resolves to its stdout. Throws an error if it fails. */
  async run(args: readonly string[]): Promise<string> {
    const lines: string[] = []
    const running = this.start(args, {}, line => lines.push(line))
    const { code } = await running.ended
    if (code !== 0) throw new Error(`smsrelay ${args.join(' ')} failed: ${running.complaints()}`)
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

async function endOf(child: ChildProcess, ended: Promise<End>): Promise<End> {
  let late = false
  const timer = setTimeout(() => {
    late = true
    child.kill('SIGKILL')
  }, endsWithin)
  const end = await ended
  clearTimeout(timer)
  return late ? { code: null, signal: 'SIGKILL' } : end
}

function withoutSettings(): Record<string, string | undefined> {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(SMSRELAY_|XDG_|CHAOS_|NODE_OPTIONS$)/.test(name),
  )
  return Object.fromEntries(kept)
}
