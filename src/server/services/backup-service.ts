import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { errorText, RelayError } from '../../errors.js'
import { isMissingFile } from '../../util/files/file-error.js'
import type { Announce, ServiceContext } from './service-context.js'

/** A backup in the directory of the service. */
export interface BackupFile {
  readonly name: string
  /** When it was completed, in milliseconds since the epoch. */
  readonly at: number
  readonly bytes: number
}

/** What the service knows of backups. */
export interface BackupState {
  /** The directory of the backups; undefined if the relay has none. */
  readonly directory: string | undefined
  /** The latest backup, also one that a timer made. */
  readonly last: BackupFile | undefined
  /** When the backup in progress began, in milliseconds since the epoch. */
  readonly runningSince: number | undefined
  /** Why the last backup of this process failed. */
  readonly error: string | undefined
}

/** How the service writes a backup. */
export interface BackupWriter {
  /** End of the names of backups: that of a file, or empty for directories. */
  readonly extension: '' | '.ndjson'
  /** Writes a backup to a new path, and rejects soon after the signal is aborted. */
  readonly write: (path: string, signal: AbortSignal) => Promise<unknown>
}

/** End of the name of a backup that is not complete. */
const partial = '.partial'

/** Milliseconds that a backup in progress has when the service stops. */
const stopGrace = 6000

/** Milliseconds that an aborted backup has to remove its files. */
const abortGrace = 2000

/** Makes backups of the whole relay in one directory, one at a time. */
export class BackupService {
  readonly #context: Pick<ServiceContext, 'clock'>
  readonly #directory: string | undefined
  readonly #writer: BackupWriter
  #running: { readonly since: number; readonly end: Promise<void> } | undefined
  readonly #abort = new AbortController()
  #isStopping = false
  #error: string | undefined

  constructor(
    context: Pick<ServiceContext, 'clock'>,
    directory: string | undefined,
    writer: BackupWriter,
  ) {
    this.#context = context
    this.#directory = directory
    this.#writer = writer
  }

  /** Reads the state of the backups. */
  async read(): Promise<BackupState> {
    const directory = this.#directory
    const last = directory === undefined ? undefined : await findLastBackup(directory)
    return { directory, last, runningSince: this.#running?.since, error: this.#error }
  }

  /**
   * Begins a backup; resolves to its name. Throws `invalid_state` without a directory, and while a
   * backup is in progress, and `unavailable` after a stop.
   */
  async start(announce?: Announce<string>): Promise<string> {
    const directory = this.#directory
    if (directory === undefined) throw noDirectoryError()
    if (this.#isStopping) throw stoppingError()
    if (this.#running !== undefined) {
      throw new RelayError('invalid_state', 'A backup is already in progress.', {
        hint: 'Wait until it ends.',
      })
    }
    const since = this.#context.clock.now()
    const naming = this.#chooseName(directory, since, announce)
    const run = async (): Promise<void> => {
      await this.#run(join(directory, await naming))
    }
    const end = run()
      // The caller gets the error of the name and of the announcement.
      .catch(() => {})
      .finally(() => {
        this.#running = undefined
      })
    this.#running = { since, end }
    return await naming
  }

  /**
   * Begins no backup any more, and waits for the one in progress: after 6 seconds it is aborted,
   * and its files are removed. If the disk does not answer either, a file that ends in `.partial`
   * stays.
   */
  async stop(): Promise<void> {
    this.#isStopping = true
    if (await this.#hasEnded(stopGrace)) return
    this.#abort.abort(new RelayError('unavailable', 'The relay stopped.'))
    await this.#hasEnded(abortGrace)
  }

  async #hasEnded(wait: number): Promise<boolean> {
    if (this.#running === undefined) return true
    const ended = new AbortController()
    const end = this.#running.end.then(() => ended.abort())
    await Promise.race([end, this.#context.clock.sleep(wait, ended.signal)])
    return this.#running === undefined
  }

  /** A name with the time; a second backup in the same second gets a number. */
  async #chooseName(directory: string, now: number, announce?: Announce<string>): Promise<string> {
    await mkdir(directory, { recursive: true, mode: 0o700 }).catch(cause => {
      throw new RelayError('unavailable', `Backups cannot be written: ${errorText(cause)}`, {
        hint: 'Let the user of the relay write to the directory of --backup-dir.',
        cause,
      })
    })
    const { extension } = this.#writer
    const time = new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')
    const names = new Set(await readdir(directory))
    for (let n = 1; ; n += 1) {
      const name = `${time}${n === 1 ? '' : `-${n}`}${extension}`
      if (names.has(name) || names.has(`${name}${partial}`)) continue
      await announce?.(name)
      return name
    }
  }

  /** The name without the end says that the backup is complete. */
  async #run(path: string): Promise<void> {
    try {
      const { signal } = this.#abort
      await this.#writer.write(`${path}${partial}`, signal)
      signal.throwIfAborted()
      await rename(`${path}${partial}`, path)
      this.#error = undefined
    } catch (error) {
      this.#error = errorText(error)
      await rm(`${path}${partial}`, { recursive: true, force: true }).catch(() => {})
    }
  }
}

/** Finds the newest backup: a directory with a manifest, or the file of a database. */
async function findLastBackup(directory: string): Promise<BackupFile | undefined> {
  const names = await readdir(directory).catch(ignoreMissing)
  const found = await Promise.all((names ?? []).map(name => measureBackup(directory, name)))
  return found.reduce((last, each) => (each && each.at > (last?.at ?? 0) ? each : last), undefined)
}

async function measureBackup(directory: string, name: string): Promise<BackupFile | undefined> {
  if (name.endsWith(partial)) return undefined
  const path = join(directory, name)
  const found = await stat(path).catch(ignoreMissing)
  if (found?.isFile() === true && name.endsWith('.ndjson'))
    return { name, at: found.mtimeMs, bytes: found.size }
  const manifest = await stat(join(path, 'manifest.json')).catch(ignoreMissing)
  if (manifest === undefined) return undefined
  const names = (await readdir(path).catch(ignoreMissing)) ?? []
  const sizes = await Promise.all(
    names.map(async each => (await stat(join(path, each)).catch(ignoreMissing))?.size ?? 0),
  )
  return { name, at: manifest.mtimeMs, bytes: sizes.reduce((sum, size) => sum + size, 0) }
}

/** Others may delete backups at any time. */
function ignoreMissing(error: unknown): undefined {
  if (isMissingFile(error) || (error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined
  throw error
}

function stoppingError(): RelayError {
  return new RelayError('unavailable', 'The relay is stopping.', {
    hint: 'Start the backup again after the relay has started.',
  })
}

function noDirectoryError(): RelayError {
  return new RelayError('invalid_state', 'The relay has no directory for backups.', {
    hint: 'Start it with --backup-dir DIR.',
  })
}
