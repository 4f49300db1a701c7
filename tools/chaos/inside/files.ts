import fs from 'node:fs'
import files, { type FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { basename } from 'node:path'
import { assertSpace, assertSyncs } from './disk.js'
import type { Durable } from './durable.js'
import type { Act, Trigger } from './point.js'

/** Options of {@link watchFiles}. */
export interface FileWatch {
  readonly durable: Durable
  /** Path of a file that exists while the disk is full or failing. */
  readonly disk: string | undefined
  readonly trigger: Trigger | undefined
  /** Ends the process. */
  readonly end: () => never
  /** Called with text that has become durable. */
  readonly onDurable: (text: string) => void
}

type Call = (...given: unknown[]) => Promise<unknown>
type SyncCall = (...given: unknown[]) => unknown

/** Wraps the functions of node:fs/promises and the synchronous ones of node:fs. */
export function watchFiles(watch: FileWatch): void {
  const paths = new Map<number, string>()
  const guard = new Guard(watch, paths)
  const opened = (path: string, flags: unknown, fd: number, isNew: boolean): void => {
    paths.set(fd, path)
    if (isForWriting(flags)) watch.durable.opened(path, isNew)
  }
  const open = files.open as Call
  files.open = (async (path: string, flags: unknown, ...rest: unknown[]) => {
    const isNew = !fs.existsSync(path)
    const handle = (await open(path, withoutSync(flags), ...rest)) as FileHandle
    opened(String(path), flags, handle.fd, isNew)
    guard.writesThrough(handle.fd, withoutSync(flags) !== flags)
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
  wrapNames(guard)
  wrapSync(guard)
  syncBuiltinESMExports()
}

const { O_DSYNC, O_RDWR, O_WRONLY } = fs.constants

function isForWriting(flags: unknown): boolean {
  if (typeof flags === 'number') return (flags & (O_RDWR | O_WRONLY)) !== 0
  return /[wa+]/.test(String(flags ?? 'r'))
}

/** Splits a write with O_DSYNC into a write and a sync, so that a fault can occur between them. */
function withoutSync(flags: unknown): unknown {
  return typeof flags === 'number' && (flags & O_DSYNC) !== 0 ? flags & ~O_DSYNC : flags
}

/** Injects faults before and after each act. */
class Guard {
  readonly watch: FileWatch
  readonly #paths: ReadonlyMap<number, string>
  readonly #through = new Set<number>()

  constructor(watch: FileWatch, paths: ReadonlyMap<number, string>) {
    this.watch = watch
    this.#paths = paths
  }

  pathOf(fd: number): string | undefined {
    return this.#paths.get(fd)
  }

  writesThrough(fd: number, yes: boolean): void {
    if (yes) this.#through.add(fd)
    else this.#through.delete(fd)
  }

  /** Whether each write to a file is followed by a sync. */
  isThrough(fd: number): boolean {
    return this.#through.has(fd)
  }

  /** Ends the process before this act if it is the fault; returns a function to call after it. */
  begin(act: Act, path: string, text: string, tear: () => void = () => {}): () => void {
    const { trigger, end } = this.watch
    const when = trigger?.on(act, basename(path), text)
    if (when === 'torn') tear()
    if (when === 'before' || when === 'torn') end()
    return when === 'after' ? end : () => {}
  }

  write(fd: number, path: string, bytes: Buffer, position: number | null): () => void {
    const { durable, disk } = this.watch
    const half = (): void => {
      const wrote = writeSync(fd, bytes, 0, lengthOfText(bytes) >> 1, position)
      durable.wrote(path, bytes.toString('utf8', 0, wrote))
    }
    const finish = this.begin('write', path, bytes.toString(), half)
    assertSpace(disk, half)
    durable.writing(path, position, bytes.length)
    return () => {
      durable.wrote(path, bytes.toString())
      finish()
    }
  }

  sync(path: string): () => void {
    const { durable, disk, onDurable } = this.watch
    const pending = durable.pending(path)
    const finish = this.begin('sync', path, pending)
    assertSyncs(disk)
    return () => {
      durable.synced(path)
      onDurable(pending)
      finish()
    }
  }
}

/** Number of bytes without the line feeds at the end, which may be preallocated. */
function lengthOfText(bytes: Buffer): number {
  return bytes.findLastIndex(byte => byte !== lineFeed) + 1
}

const lineFeed = 10
const writeSync = fs.writeSync
let wrapped = false

/** All handles share a prototype, which only a handle gives access to. */
function wrapHandle(prototype: Record<string, Call>, guard: Guard): void {
  if (wrapped) return
  wrapped = true
  const pathOf = (handle: FileHandle): string => guard.pathOf(handle.fd) ?? ''
  for (const name of ['write', 'writeFile', 'appendFile'] as const) {
    const original = prototype[name] as Call
    prototype[name] = async function (this: FileHandle, data: unknown, ...rest: unknown[]) {
      const { bytes, position } = parseWrite(data, name === 'write' ? rest : [])
      const done = guard.write(this.fd, pathOf(this), bytes, position)
      const result = await original.call(this, data, ...rest)
      done()
      if (guard.isThrough(this.fd)) await this.datasync()
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

function wrapNames(guard: Guard): void {
  const { durable } = guard.watch
  const rename = files.rename as Call
  files.rename = (async (from: string, to: string) => {
    const done = guard.begin('rename', to, '')
    durable.renaming(from, to)
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

function wrapSync(guard: Guard): void {
  const write = fs.writeSync as SyncCall
  fs.writeSync = ((fd: number, data: unknown, ...rest: unknown[]) => {
    const path = guard.pathOf(fd)
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
      const path = guard.pathOf(fd)
      const done = path === undefined ? () => {} : guard.sync(path)
      original(fd)
      done()
    }
  }
}

/** The bytes of a write and their offset; null: the position of the file. */
function parseWrite(
  data: unknown,
  rest: readonly unknown[],
): { bytes: Buffer; position: number | null } {
  if (typeof data === 'string') {
    return { bytes: Buffer.from(data), position: toNumberOr(rest[0], null) }
  }
  const view = data as Uint8Array
  const all = Buffer.from(view.buffer, view.byteOffset, view.byteLength)
  const from = toNumberOr(rest[0], 0)
  const length = toNumberOr(rest[1], all.length - from)
  return { bytes: all.subarray(from, from + length), position: toNumberOr(rest[2], null) }
}

function toNumberOr<T>(value: unknown, otherwise: T): number | T {
  return typeof value === 'number' ? value : otherwise
}
