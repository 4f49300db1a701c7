import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  closeSync,
  cpSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { findFreePort } from '../../ports/free-ports.js'
import { type RunningPostgres, startPostgres } from '../../postgres/start-postgres.js'

const pollInterval = 20
/** Milliseconds. */
const startTimeout = 60_000

/** The PostgreSQL of a test, which can be killed and started again, and its standby. */
export class DatabaseServer {
  readonly url: string
  readonly #postgres: RunningPostgres
  #pid: number
  #standbyPort = 0
  readonly #children: ChildProcess[] = []
  readonly #mounts: string[] = []

  private constructor(postgres: RunningPostgres) {
    this.#postgres = postgres
    this.#pid = postgres.pid
    this.url = postgres.url
  }

  /** @param settings lines of postgresql.conf, `NAME=VALUE` */
  static async start(settings: readonly string[] = []): Promise<DatabaseServer> {
    return new DatabaseServer(await startPostgres(settings))
  }

  get port(): number {
    return Number(new URL(this.url).port)
  }

  /** Port of the standby, once it runs. */
  get standbyPort(): number {
    return this.#standbyPort
  }

  /** Where the server has its data. */
  get directory(): string {
    return join(this.#postgres.directory, 'data')
  }

  /** Runs one statement with a client of its own. */
  async run<Row extends object>(text: string, port = this.port): Promise<Row[]> {
    const url = new URL(this.url)
    url.port = String(port)
    const client = new Client({ connectionString: url.href, connectionTimeoutMillis: 5000 })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query<Row>(text)).rows
    } finally {
      await client.end()
    }
  }

  /** `kill -9` of the postmaster. */
  async kill(): Promise<void> {
    process.kill(this.#pid, 'SIGKILL')
    await this.#waitForEnd()
  }

  /** Ends the server so that its files are complete. */
  async shutDown(): Promise<void> {
    process.kill(this.#pid, 'SIGINT')
    await this.#waitForEnd()
  }

  /** Starts the server again; resolves when it accepts connections. */
  async start(): Promise<void> {
    const [program, ...args] = this.#postgres.start
    const deadline = performance.now() + startTimeout
    // Backends of a killed postmaster keep its shared memory for a moment.
    while (performance.now() < deadline) {
      const child = this.#spawn(program, args)
      this.#pid = child.pid ?? this.#pid
      if (await this.#isUp(child, this.port, deadline)) return
    }
    throw new Error('PostgreSQL did not start again.')
  }

  /**
   * Starts a synchronous standby on a copy of the files. The server must be shut down; it is
   * started here, too.
   */
  async startStandby(): Promise<void> {
    const { directory, start } = this.#postgres
    const port = await findFreePort()
    this.#standbyPort = port
    const data = join(directory, 'standby')
    const { uid, gid } = statSync(directory)
    cpSync(this.directory, data, { recursive: true })
    const source = `host=127.0.0.1 port=${this.port} user=smsrelay application_name=standby`
    writeFileSync(join(data, 'standby.signal'), '')
    writeFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`)
    chownAll(data, uid, gid)
    await this.start()
    const [program, ...args] = start
    const own = args.map(arg =>
      arg === this.directory ? data : arg === String(this.port) ? String(port) : arg,
    )
    const child = this.#spawn(program, own)
    if (!(await this.#isUp(child, port, performance.now() + startTimeout))) {
      throw new Error('The standby did not start.')
    }
    await this.run("alter system set synchronous_standby_names = '*'")
    await this.run('select pg_reload_conf()')
  }

  /**
   * Moves the tables to a file system of their own, with so many MiB; the log of changes stays. The
   * server must be shut down. Needs root on Linux.
   */
  limitDisk(mebibytes: number): void {
    const { directory } = this.#postgres
    const [tables, copy] = [join(this.directory, 'base'), join(directory, 'copy')]
    cpSync(tables, copy, { recursive: true })
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=0700`, 'tmpfs', tables])
    this.#mounts.push(tables)
    cpSync(copy, tables, { recursive: true })
    const { uid, gid } = statSync(directory)
    chownAll(tables, uid, gid)
  }

  /** Fills the file system of the tables; the returned function empties it. */
  fillDisk(): () => void {
    const filler = join(this.directory, 'base', 'filler')
    const file = openSync(filler, 'w')
    try {
      for (;;) writeSync(file, Buffer.alloc(64 * 1024))
    } catch {
      // It is full.
    } finally {
      closeSync(file)
    }
    return () => rmSync(filler)
  }

  async stop(): Promise<void> {
    for (const path of this.#mounts) execFileSync('umount', ['-l', path])
    for (const child of this.#children) child.kill('SIGQUIT')
    await this.#postgres.stop()
  }

  #spawn(program: string, args: readonly string[]): ChildProcess {
    const { directory } = this.#postgres
    const { uid, gid } = statSync(directory)
    const options = { cwd: directory, uid, gid, detached: true, stdio: 'ignore' } as const
    const child = spawn(program, args, options)
    this.#children.push(child)
    return child
  }

  async #isUp(child: ChildProcess, port: number, deadline: number): Promise<boolean> {
    while (performance.now() < deadline) {
      if (child.exitCode !== null || child.signalCode !== null) return false
      try {
        await this.run('select 1', port)
        return true
      } catch {
        await sleep(pollInterval)
      }
    }
    return false
  }

  async #waitForEnd(): Promise<void> {
    const child = this.#children.find(({ pid }) => pid === this.#pid)
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      await once(child, 'exit')
    }
    while (isRunning(this.#pid)) await sleep(pollInterval)
  }
}

function chownAll(path: string, uid: number, gid: number): void {
  if (process.getuid?.() !== 0) return
  chownSync(path, uid, gid)
  if (!statSync(path).isDirectory()) return
  for (const name of readdirSync(path)) chownAll(join(path, name), uid, gid)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
