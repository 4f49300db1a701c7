import fs from 'node:fs'
import files, { type FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { basename } from 'node:path'
import type { Act, CrashTrigger } from './crash-point.js'
import { assertSpace, assertSyncWorks } from './disk-faults.js'
import type { DurableFiles } from './durable-files.js'

export interface FileWatch {
  readonly durable: DurableFiles
  /** The file with the state of the disk. */
  readonly disk: string | undefined
  readonly trigger: CrashTrigger | undefined
  /** Ends the process. */
  readonly end: () => never
  /** Called with the data that has become durable. */
  readonly onDurable: (text: string) => void
}

type Call = (...given: unknown[]) => Promise<unknown>
type SyncCall = (...given: unknown[]) => unknown

/** Wraps node:fs/promises and the synchronous functions of node:fs. */
export function watchFiles(watch: FileWatch): void {
  const paths = new Map<number, string>()
  const guard = new FileGuard(watch, paths)
  const opened = (path: string, flags: unknown, fd: number, isNew: boolean): void => {
    paths.set(fd, path)
    if (isForWriting(flags)) watch.durable.trackOpen(path, isNew)
  }
  const open = files.open as Call
  files.open = (async (path: string, flags: unknown, ...rest: unknown[]) => {
    const isNew = !fs.existsSync(path)
    const handle = (await open(path, removeSyncFlag(flags), ...rest)) as FileHandle
    opened(String(path), flags, handle.fd, isNew)
    guard.setWriteThrough(handle.fd, removeSyncFlag(flags) !== flags)
    wrapHandle(Object.getPrototypeOf(handle) as Record<string, Call>, guard)
    return handle
  }) as typeof files.open
  const openSync = fs.openSync as SyncCall
  fs.openSync = ((path: string, flags: unknown, ...rest: unknown[]) => {
    const isNew = !fs.existsSync(path)
    const fd = openSync(path, flags, ...rest) as number
    opened(String(path), flags, fd, isNew)
    return fd
  }) as typeof fs.openSync
  wrapRenameAndRemove(guard)
  wrapSyncCalls(guard)
  syncBuiltinESMExports()
}

const { O_DSYNC, O_RDWR, O_WRONLY } = fs.constants

function isForWriting(flags: unknown): boolean {
  if (typeof flags === 'number') return (flags & (O_RDWR | O_WRONLY)) !== 0
  return /[wa+]/.test(String(flags ?? 'r'))
}

/** A write with O_DSYNC becomes a write and a sync, so that a crash can happen between them. */
function removeSyncFlag(flags: unknown): unknown {
  return typeof flags === 'number' && (flags & O_DSYNC) !== 0 ? flags & ~O_DSYNC : flags
}

/** Checks each action against the crash point. */
class FileGuard {
  readonly watch: FileWatch
  readonly #paths: ReadonlyMap<number, string>
  readonly #through = new Set<number>()

  constructor(watch: FileWatch, paths: ReadonlyMap<number, string>) {
    this.watch = watch
    this.#paths = paths
  }

  getPath(fd: number): string | undefined {
    return this.#paths.get(fd)
  }

  /** Sets whether each write to a file is followed by a sync. */
  setWriteThrough(fd: number, yes: boolean): void {
    if (yes) this.#through.add(fd)
    else this.#through.delete(fd)
  }

  isWriteThrough(fd: number): boolean {
    return this.#through.has(fd)
  }

  /**
   * Ends the process if it must not perform this action; otherwise returns the function to call
   * after it.
   */
  begin(act: Act, path: string, text: string, tear: () => void = () => {}): () => void {
    const { trigger, end } = this.watch
    const when = trigger?.countAct(act, basename(path), text)
    if (when === 'torn') tear()
    if (when === 'before' || when === 'torn') end()
    return when === 'after' ? end : () => {}
  }

  write(fd: number, path: string, bytes: Buffer, position: number | null): () => void {
    const { durable, disk } = this.watch
    const half = (): void => {
      const wrote = writeSync(fd, bytes, 0, getTextLength(bytes) >> 1, position)
      durable.trackWrite(path, bytes.toString('utf8', 0, wrote))
    }
    const finish = this.begin('write', path, bytes.toString(), half)
    assertSpace(disk, half)
    durable.trackOverwrite(path, position, bytes.length)
    return () => {
      durable.trackWrite(path, bytes.toString())
      finish()
    }
  }

  sync(path: string): () => void {
    const { durable, disk, onDurable } = this.watch
    const pending = durable.getPending(path)
    const finish = this.begin('sync', path, pending)
    assertSyncWorks(disk)
    return () => {
      durable.trackSync(path)
      onDurable(pending)
      finish()
    }
  }
}

/** Bytes without the line feeds at the end, which may be preallocated space. */
function getTextLength(bytes: Buffer): number {
  return bytes.findLastIndex(byte => byte !== lineFeed) + 1
}

const lineFeed = 10
const writeSync = fs.writeSync
let isWrapped = false

/** All handles share a prototype, which can only be reached through a handle. */
function wrapHandle(prototype: Record<string, Call>, guard: FileGuard): void {
  if (isWrapped) return
  isWrapped = true
  const pathOf = (handle: FileHandle): string => guard.getPath(handle.fd) ?? ''
  for (const name of ['write', 'writeFile', 'appendFile'] as const) {
    const original = prototype[name] as Call
    prototype[name] = async function (this: FileHandle, data: unknown, ...rest: unknown[]) {
      const { bytes, position } = parseWrite(data, name === 'write' ? rest : [])
      const done = guard.write(this.fd, pathOf(this), bytes, position)
      const result = await original.call(this, data, ...rest)
      done()
      if (guard.isWriteThrough(this.fd)) await this.datasync()
      return result
    }
  }
  for (const name of ['sync', 'datasync'] as const) {
    const original = prototype[name] as Call
    prototype[name] = async function (this: FileHandle) {
      const done = guard.sync(pathOf(this))
      await original.call(this)
      done()
    }
  }
}

function wrapRenameAndRemove(guard: FileGuard): void {
  const { durable } = guard.watch
  const rename = files.rename as Call
  files.rename = (async (from: string, to: string) => {
    const done = guard.begin('rename', to, '')
    durable.trackRename(from, to)
    await rename(from, to)
    done()
  }) as typeof files.rename
  const remove = files.rm as Call
  files.rm = (async (path: string, ...rest: unknown[]) => {
    if (!fs.existsSync(path)) return await remove(path, ...rest)
    const done = guard.begin('remove', path, '')
    await remove(path, ...rest)
    done()
  }) as typeof files.rm
}

function wrapSyncCalls(guard: FileGuard): void {
  const write = fs.writeSync as SyncCall
  fs.writeSync = ((fd: number, data: unknown, ...rest: unknown[]) => {
    const path = guard.getPath(fd)
    if (path === undefined) return write(fd, data, ...rest)
    const { bytes, position } = parseWrite(data, rest)
    const done = guard.write(fd, path, bytes, position)
    const result = write(fd, data, ...rest)
    done()
    return result
  }) as typeof fs.writeSync
  for (const name of ['fsyncSync', 'fdatasyncSync'] as const) {
    const original = fs[name]
    fs[name] = (fd: number) => {
      const path = guard.getPath(fd)
      const done = path === undefined ? () => {} : guard.sync(path)
      original(fd)
      done()
    }
  }
}

/** The bytes and the position of a write; `null` is the current position of the file. */
function parseWrite(
  data: unknown,
  rest: readonly unknown[],
): { bytes: Buffer; position: number | null } {
  if (typeof data === 'string') {
    return { bytes: Buffer.from(data), position: toNumber(rest[0], null) }
  }
  const view = data as Uint8Array
  const all = Buffer.from(view.buffer, view.byteOffset, view.byteLength)
  const from = toNumber(rest[0], 0)
  const length = toNumber(rest[1], all.length - from)
  return { bytes: all.subarray(from, from + length), position: toNumber(rest[2], null) }
}

function toNumber<T>(value: unknown, otherwise: T): number | T {
  return typeof value === 'number' ? value : otherwise
}
