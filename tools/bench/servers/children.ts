import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Amounts } from './records.js'

/** A server of a benchmark. */
export interface RunningServer {
  readonly port: number
  /** Microseconds of processor time that it has used. */
  cpu(): Promise<number>
  /** What the server says to another word. */
  ask(word: string): Promise<unknown>
  stop(): Promise<void>
}

/** Options of {@link Children}. */
export interface ChildrenOptions {
  /** Directory for the data directories. */
  readonly base: string
  /** Directory for CPU profiles of the relays; undefined: no profiles. */
  readonly profiles?: string | undefined
}

const exitTimeout = 20_000
const childTimeout = 300_000
/** Heap for a million messages on machines with a smaller default. */
const heapFlag = '--max-old-space-size=4096'

/** Starts the processes of a benchmark; ends them and removes their data directories. */
export class Children {
  readonly #options: ChildrenOptions
  readonly #running = new Set<ChildProcess>()
  readonly #root: string

  constructor(options: ChildrenOptions) {
    this.#options = options
    this.#root = mkdtempSync(join(options.base, 'smsrelay-bench-'))
    process.once('exit', () => this.#killAll())
  }

  /** Creates a data directory with these messages. */
  async seed(amounts: Amounts): Promise<string> {
    const directory = mkdtempSync(join(this.#root, 'data-'))
    const child = this.#fork('seed', [directory, JSON.stringify(amounts)], [heapFlag])
    const [code] = await withTimeLimit(childTimeout, once(child, 'exit'))
    if (code !== 0) throw new Error(`Writing a data directory failed with ${code}.`)
    return directory
  }

  /** Writes these messages to an empty database. */
  async seedDatabase(database: string, amounts: Amounts): Promise<void> {
    const child = this.#fork('seed-database', [database, JSON.stringify(amounts)], [heapFlag])
    const [code] = await withTimeLimit(childTimeout, once(child, 'exit'))
    if (code !== 0) throw new Error(`Writing to a database failed with ${code}.`)
  }

  /** Starts the relay on a data directory; `name` is the name of its profile. */
  async relay(dataDir: string, name: string, settings: object = {}): Promise<RunningServer> {
    return await this.#startRelay({ dataDir, ...settings }, name)
  }

  /** Starts a node on a database; `name` is the name of its profile. */
  async node(url: string, name: string): Promise<RunningServer> {
    return await this.#startRelay({ database: { url } }, name)
  }

  /** Starts the bare server with its replies: method and path, and the body. */
  async bare(replies: readonly (readonly [key: string, body: string])[]): Promise<RunningServer> {
    const child = this.#fork('bare', [], [])
    child.send(replies)
    return await this.#waitUntilListening(child)
  }

  /** Starts an SMSC that answers at once. */
  async smsc(): Promise<RunningServer> {
    return await this.#waitUntilListening(this.#fork('smsc', [], []))
  }

  /** Runs a child process that sends one value. */
  async runChild(
    script: string,
    args: readonly string[],
    flags: readonly string[],
  ): Promise<unknown> {
    const child = this.#fork(script, args, [heapFlag, ...flags])
    const [answer] = await withTimeLimit(childTimeout, waitForMessage(child))
    if (child.exitCode === null) await withTimeLimit(exitTimeout, once(child, 'exit'))
    return answer
  }

  remove(directory: string): void {
    rmSync(directory, { recursive: true, force: true })
  }

  async #startRelay(settings: object, name: string): Promise<RunningServer> {
    const { profiles } = this.#options
    const profile = profiles === undefined ? [] : [join(profiles, `${name}.cpuprofile`)]
    const args = [JSON.stringify(settings), ...profile]
    return await this.#waitUntilListening(this.#fork('relay', args, [heapFlag]))
  }

  #fork(script: string, args: readonly string[], execArgv: readonly string[]): ChildProcess {
    const path = fileURLToPath(new URL(`./${script}.js`, import.meta.url))
    const child = fork(path, args, { execArgv: [...execArgv], stdio: ['ignore', 2, 2, 'ipc'] })
    this.#running.add(child)
    child.once('exit', () => this.#running.delete(child))
    return child
  }

  async #waitUntilListening(child: ChildProcess): Promise<RunningServer> {
    const [port] = (await withTimeLimit(childTimeout, waitForMessage(child))) as [number]
    const stop = async (): Promise<void> => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exit = once(child, 'exit')
      child.disconnect()
      await withTimeLimit(exitTimeout, exit)
    }
    const ask = async (word: string): Promise<unknown> => {
      child.send(word)
      const [answer] = await withTimeLimit(exitTimeout, waitForMessage(child))
      return answer
    }
    return { port, cpu: async () => (await ask('cpu')) as number, ask, stop }
  }

  #killAll(): void {
    for (const child of this.#running) child.kill('SIGKILL')
    rmSync(this.#root, { recursive: true, force: true })
  }
}

async function waitForMessage(child: ChildProcess): Promise<unknown[]> {
  const ended = new AbortController()
  const exit = once(child, 'exit', { signal: ended.signal }).then(([code]) => {
    throw new Error(`A process of the benchmark ended early with ${code}: ${child.spawnargs.at(2)}`)
  })
  exit.catch(() => {})
  try {
    return await Promise.race([once(child, 'message'), exit])
  } finally {
    ended.abort()
  }
}

async function withTimeLimit<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const error = new Error(`A process of the benchmark took more than ${milliseconds} ms.`)
    timer = setTimeout(reject, milliseconds, error)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
