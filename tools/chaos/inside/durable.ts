import fs, { existsSync, linkSync, renameSync, statSync, truncateSync, unlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

interface WatchedFile {
  readonly path: string
  /** Length that is certainly on the disk. */
  synced: number
  /** Text written after the last sync. */
  pending: string
  /** Bytes that it replaced, oldest first. */
  before: { readonly at: number; readonly bytes: Buffer }[]
}

/** The original functions. */
const { openSync, readSync, writeSync, closeSync } = fs

/** Bytes that a disk writes whole or not at all. */
const sector = 512

interface Renamed {
  readonly from: string
  readonly to: string
  /** A second name of the file that was replaced. */
  readonly old: string | undefined
}

/** Tracks which writes of this process would survive a power cut, and undoes the others. */
export class Durable {
  readonly #files = new Map<string, WatchedFile>()
  #created: string[] = []
  #renamed: Renamed[] = []
  readonly #remember: boolean

  /** @param remember whether {@link lose} may be called */
  constructor(remember: boolean) {
    this.#remember = remember
  }

  /** A file was opened for writing. */
  opened(path: string, isNew: boolean): void {
    const present = this.#files.get(path)
    if (isNew) this.#created.push(path)
    if (isNew || present === undefined) {
      const synced = isNew ? 0 : statSync(path).size
      this.#files.set(path, { path, synced, pending: '', before: [] })
    }
  }

  /** Bytes are about to be written at an offset of a file. */
  writing(path: string, at: number | null, length: number): void {
    const file = this.#files.get(path)
    if (!this.#remember || file === undefined || at === null) return
    const bytes = Buffer.alloc(length)
    const fd = openSync(path, 'r')
    const there = readSync(fd, bytes, 0, length, at)
    closeSync(fd)
    if (there > 0) file.before.push({ at, bytes: bytes.subarray(0, there) })
  }

  /** Text was written to a file. */
  wrote(path: string, text: string): void {
    const file = this.#files.get(path)
    if (file !== undefined) file.pending += text
  }

  /** Text that a sync of this file would make durable. */
  pending(path: string): string {
    return this.#files.get(path)?.pending ?? ''
  }

  /** A file or a directory was synced. */
  synced(path: string): void {
    const file = this.#files.get(path)
    if (file !== undefined) {
      file.pending = ''
      file.before = []
      file.synced = statSync(path).size
      return
    }
    this.#created = this.#created.filter(each => dirname(each) !== path)
    for (const { old, to } of this.#renamed) {
      if (dirname(to) === path && old !== undefined) unlinkSync(old)
    }
    this.#renamed = this.#renamed.filter(({ to }) => dirname(to) !== path)
  }

  /** A file is about to be renamed. */
  renaming(from: string, to: string): void {
    if (!this.#remember) return
    const isReplaced = existsSync(to) && statSync(to).isFile()
    // Outside of the directory, so that the program does not see it.
    const old = isReplaced
      ? join(dirname(dirname(to)), `replaced-${process.pid}-${basename(to)}`)
      : undefined
    if (old !== undefined) linkSync(to, old)
    this.#renamed.push({ from, to, old })
    const file = this.#files.get(from)
    if (file === undefined) return
    this.#files.delete(from)
    this.#files.set(to, { ...file, path: to })
  }

  /** Changes the files to the worst state that POSIX allows after a power cut now. */
  lose(): void {
    for (const { path, synced, pending, before } of this.#files.values()) {
      if (pending === '' || !existsSync(path)) continue
      truncateSync(path, synced)
      for (const { at, bytes } of before.toReversed()) restore(path, at, bytes)
    }
    for (const { from, to, old } of this.#renamed.toReversed()) {
      if (existsSync(to)) renameSync(to, from)
      if (old !== undefined) renameSync(old, to)
    }
    for (const path of this.#created) if (existsSync(path)) unlinkSync(path)
  }
}

/** Restores replaced bytes: all of them, or each second sector as if the others were written. */
function restore(path: string, at: number, bytes: Buffer): void {
  const isWhole = (at / sector) % 2 < 1
  const fd = openSync(path, 'r+')
  for (let from = 0; from < bytes.length; ) {
    const index = Math.floor((at + from) / sector)
    const to = Math.min(bytes.length, (index + 1) * sector - at)
    if (isWhole || index % 2 === 0) writeSync(fd, bytes, from, to - from, at + from)
    from = to
  }
  closeSync(fd)
}
