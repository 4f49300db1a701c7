import { existsSync, linkSync, renameSync, statSync, truncateSync, unlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

interface Kept {
  readonly path: string
  /** Bytes that are surely on the disk. */
  synced: number
  /** What was written since. */
  pending: string
}

interface Renamed {
  readonly from: string
  readonly to: string
  /** A second name of what had the name before. */
  readonly old: string | undefined
}

/** Knows what of the files this process writes would outlive a power cut, and can bring that about. */
export class Durable {
  readonly #files = new Map<string, Kept>()
  #created: string[] = []
  #renamed: Renamed[] = []
  readonly #remember: boolean

  /** @param remember whether {@link lose} will be wanted */
  constructor(remember: boolean) {
    this.#remember = remember
  }

  /** A file is opened for writing. */
  opened(path: string, isNew: boolean): void {
    const known = this.#files.get(path)
    if (isNew) this.#created.push(path)
    if (isNew || known === undefined) {
      const synced = isNew ? 0 : statSync(path).size
      this.#files.set(path, { path, synced, pending: '' })
    }
  }

  /** Text was written to a file. */
  wrote(path: string, text: string): void {
    const file = this.#files.get(path)
    if (file !== undefined) file.pending += text
  }

  /** What a sync of this file would make durable. */
  pending(path: string): string {
    return this.#files.get(path)?.pending ?? ''
  }

  /** A file or a directory was synced. */
  synced(path: string): void {
    const file = this.#files.get(path)
    if (file !== undefined) {
      file.pending = ''
      file.synced = statSync(path).size
      return
    }
    this.#created = this.#created.filter(each => dirname(each) !== path)
    for (const { old, to } of this.#renamed) {
      if (dirname(to) === path && old !== undefined) unlinkSync(old)
    }
    this.#renamed = this.#renamed.filter(({ to }) => dirname(to) !== path)
  }

  /** A file is about to get another name. */
  renaming(from: string, to: string): void {
    if (!this.#remember) return
    const keep = existsSync(to) && statSync(to).isFile()
    // Beside the directory, so that nobody looks at it.
    const old = keep ? join(dirname(dirname(to)), `kept-${process.pid}-${basename(to)}`) : undefined
    if (old !== undefined) linkSync(to, old)
    this.#renamed.push({ from, to, old })
    const file = this.#files.get(from)
    if (file === undefined) return
    this.#files.delete(from)
    this.#files.set(to, { ...file, path: to })
  }

  /** Makes everything as it would be after a power cut now: the worst that POSIX allows. */
  lose(): void {
    for (const { path, synced, pending } of this.#files.values()) {
      if (pending !== '' && existsSync(path)) truncateSync(path, synced)
    }
    for (const { from, to, old } of this.#renamed.toReversed()) {
      if (existsSync(to)) renameSync(to, from)
      if (old !== undefined) renameSync(old, to)
    }
    for (const path of this.#created) if (existsSync(path)) unlinkSync(path)
  }
}
