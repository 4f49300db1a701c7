import fs, { existsSync, linkSync, renameSync, statSync, truncateSync, unlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

interface TrackedFile {
  readonly path: string
  /** Length in bytes that is surely on the disk. */
  synced: number
  /** What was written since. */
  pending: string
  /** The bytes that were overwritten since, oldest first. */
  overwritten: { readonly at: number; readonly bytes: Buffer }[]
}

/** The original functions, before `watchFiles` replaces them. */
const { openSync, readSync, writeSync, closeSync } = fs

/** Bytes that a disk writes completely or not at all. */
const sector = 512

interface PendingRename {
  readonly from: string
  readonly to: string
  /** A second name of the file that was replaced. */
  readonly backup: string | undefined
}

/** Tracks which data of the written files would survive a power cut, and can discard the rest. */
export class DurableFiles {
  readonly #files = new Map<string, TrackedFile>()
  #created: string[] = []
  #renamed: PendingRename[] = []
  readonly #canDiscard: boolean

  /** @param canDiscard whether {@link discardUnsynced} will be called */
  constructor(remember: boolean) {
    this.#canDiscard = remember
  }

  trackOpen(path: string, isNew: boolean): void {
    const known = this.#files.get(path)
    if (isNew) this.#created.push(path)
    if (isNew || known === undefined) {
      const synced = isNew ? 0 : statSync(path).size
      this.#files.set(path, { path, synced, pending: '', overwritten: [] })
    }
  }

  /** Saves the bytes that a write will replace. */
  trackOverwrite(path: string, at: number | null, length: number): void {
    const file = this.#files.get(path)
    if (!this.#canDiscard || file === undefined || at === null) return
    const bytes = Buffer.alloc(length)
    const fd = openSync(path, 'r')
    const there = readSync(fd, bytes, 0, length, at)
    closeSync(fd)
    if (there > 0) file.overwritten.push({ at, bytes: bytes.subarray(0, there) })
  }

  trackWrite(path: string, text: string): void {
    const file = this.#files.get(path)
    if (file !== undefined) file.pending += text
  }

  /** The data that a sync of this file would make durable. */
  getPending(path: string): string {
    return this.#files.get(path)?.pending ?? ''
  }

  trackSync(path: string): void {
    const file = this.#files.get(path)
    if (file !== undefined) {
      file.pending = ''
      file.overwritten = []
      file.synced = statSync(path).size
      return
    }
    this.#created = this.#created.filter(each => dirname(each) !== path)
    for (const { backup: old, to } of this.#renamed) {
      if (dirname(to) === path && old !== undefined) unlinkSync(old)
    }
    this.#renamed = this.#renamed.filter(({ to }) => dirname(to) !== path)
  }

  trackRename(from: string, to: string): void {
    if (!this.#canDiscard) return
    const keep = existsSync(to) && statSync(to).isFile()
    // In the parent directory, where the program does not look.
    const old = keep ? join(dirname(dirname(to)), `kept-${process.pid}-${basename(to)}`) : undefined
    if (old !== undefined) linkSync(to, old)
    this.#renamed.push({ from, to, backup: old })
    const file = this.#files.get(from)
    if (file === undefined) return
    this.#files.delete(from)
    this.#files.set(to, { ...file, path: to })
  }

  /** Makes all files what they would be after a power cut: the worst case that POSIX allows. */
  discardUnsynced(): void {
    for (const { path, synced, pending, overwritten: before } of this.#files.values()) {
      if (pending === '' || !existsSync(path)) continue
      truncateSync(path, synced)
      for (const { at, bytes } of before.toReversed()) restoreBytes(path, at, bytes)
    }
    for (const { from, to, backup: old } of this.#renamed.toReversed()) {
      if (existsSync(to)) renameSync(to, from)
      if (old !== undefined) renameSync(old, to)
    }
    for (const path of this.#created) if (existsSync(path)) unlinkSync(path)
  }
}

/**
 * Restores overwritten bytes: all of them, or every second sector, as if the others had been
 * written.
 */
function restoreBytes(path: string, at: number, bytes: Buffer): void {
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
