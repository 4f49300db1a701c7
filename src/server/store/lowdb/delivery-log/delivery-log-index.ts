import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Heap, type HeapItem } from '../../../../util/collections/heap.js'
import { isMissingFile } from '../../../../util/files/file-error.js'

const logExtension = '.ndjson'

export interface LogFile extends HeapItem {
  readonly subscription: string
  /** Day (UTC), and unless it is the first of the day its number: `2026-11-22.0001`. */
  readonly name: string
  bytes: number
  writtenAt: number
}

const dayLength = 10
/** Bytes in which the first line of a delivery log's file begins and has its time. */
const headBytes = 4096

export class DeliveryLogIndex {
  readonly #directory: string
  readonly #files = new Map<string, Map<string, LogFile>>()
  readonly #byAge = new Heap<LogFile>(isOlder)
  #bytes = 0

  private constructor(directory: string) {
    this.#directory = directory
  }

  /** Reads the sizes of all files, one after the other. */
  static async read(directory: string): Promise<DeliveryLogIndex> {
    const index = new DeliveryLogIndex(directory)
    for (const subscription of await listNames(directory)) {
      for (const file of await listNames(join(directory, subscription))) {
        if (!file.endsWith(logExtension)) continue
        const { size, mtimeMs } = await stat(join(directory, subscription, file))
        index.add(subscription, file.slice(0, -logExtension.length), size, mtimeMs)
      }
    }
    return index
  }

  get bytes(): number {
    return this.#bytes
  }

  get oldest(): LogFile | undefined {
    return this.#byAge.peek()
  }

  listNames(subscription: string): string[] {
    return [...(this.#files.get(subscription)?.keys() ?? [])].sort()
  }

  getPath({ subscription, name }: Pick<LogFile, 'subscription' | 'name'>): string {
    return join(this.#directory, subscription, name + logExtension)
  }

  /**
   * Name of the delivery log's file to append to: a new one if the last one of the day has so many
   * bytes.
   */
  chooseName(subscription: string, day: string, maxBytes: number): string {
    const last = this.listNames(subscription).findLast(name => name.startsWith(day))
    if (last === undefined) return day
    const { bytes = 0 } = this.#files.get(subscription)?.get(last) ?? {}
    if (bytes < maxBytes) return last
    const number = Number(last.slice(dayLength + 1)) + 1
    return `${day}.${String(number).padStart(4, '0')}`
  }

  add(subscription: string, name: string, bytes: number, writtenAt: number): void {
    const files = this.#files.get(subscription) ?? new Map<string, LogFile>()
    this.#files.set(subscription, files)
    const file = files.get(name) ?? { subscription, name, bytes: 0, writtenAt, place: -1 }
    files.set(name, file)
    file.bytes += bytes
    file.writtenAt = writtenAt
    this.#bytes += bytes
    this.#byAge.put(file)
  }

  /**
   * Reads the time of the first delivery in a file of the store's delivery log; without one, the
   * start of its day.
   */
  async readFirstTime(file: LogFile): Promise<number | undefined> {
    let handle: FileHandle | undefined
    try {
      handle = await open(this.getPath(file))
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0)
      const time = /"at":(\d{1,15})/.exec(buffer.toString('latin1', 0, bytesRead))?.[1]
      return time === undefined ? Date.parse(getDay(file)) : Number(time)
    } catch (error) {
      if (isMissingFile(error)) return undefined
      throw error
    } finally {
      await handle?.close()
    }
  }

  async remove(file: LogFile): Promise<void> {
    await rm(this.getPath(file), { force: true })
    this.#forget(file)
  }

  async removeSubscription(subscription: string): Promise<void> {
    await rm(join(this.#directory, subscription), { recursive: true, force: true })
    for (const file of [...(this.#files.get(subscription)?.values() ?? [])]) this.#forget(file)
  }

  #forget(file: LogFile): void {
    const files = this.#files.get(file.subscription)
    if (files?.delete(file.name) !== true) return
    if (files.size === 0) this.#files.delete(file.subscription)
    this.#byAge.remove(file)
    this.#bytes -= file.bytes
  }
}

export function getDay({ name }: Pick<LogFile, 'name'>): string {
  return name.slice(0, dayLength)
}

export async function listNames(directory: string): Promise<string[]> {
  try {
    return await readdir(directory)
  } catch (error) {
    if (isMissingFile(error)) return []
    throw error
  }
}

function isOlder(a: LogFile, b: LogFile): boolean {
  const [first, second] = [getDay(a), getDay(b)]
  return first < second || (first === second && a.writtenAt < b.writtenAt)
}
