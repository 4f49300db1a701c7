/** An act of a process at which it can be killed. */
export type Act =
  /** Writing to a file. */
  | 'write'
  /** fsync or fdatasync of a file or directory. */
  | 'sync'
  | 'rename'
  | 'remove'
  /** Sending a request. */
  | 'request'
  /** Sending a reply with an identifier from the text that was synced last. */
  | 'reply'

/** A point at which a process is killed with SIGKILL. */
export interface Point {
  readonly act: Act
  /** `torn`: half of the bytes are written first. */
  readonly when: 'before' | 'torn' | 'after'
  /** Pattern of the file's name. @default any */
  readonly file?: string
  /** Pattern of the written or synced text; for a reply, its first group is an identifier. */
  readonly text?: string
  /** Number of the act of that kind, from 1. @default 1 */
  readonly nth?: number
  /** Whether data without a sync is lost, as in a power cut. @default false */
  readonly power?: boolean
}

/** Environment variables of the preload. */
export const variables = {
  /** A {@link Point} as JSON. */
  point: 'CHAOS_POINT',
  /** Path of a file with the milliseconds by which the clock is ahead. */
  clock: 'CHAOS_CLOCK',
  /** Path of a file with `full` or `failing` while the disk is so. */
  disk: 'CHAOS_DISK',
} as const

/** Counts acts up to the one of a {@link Point}. */
export class Trigger {
  readonly point: Point
  readonly #file: RegExp
  readonly #text: RegExp
  #left: number

  constructor(point: Point) {
    this.point = point
    this.#file = new RegExp(point.file ?? '')
    this.#text = new RegExp(point.text ?? '')
    this.#left = point.nth ?? 1
  }

  /** When to end the process, if this act is that of the point. */
  on(act: Act, file: string, text: string): Point['when'] | undefined {
    if (act !== this.point.act || this.#left === 0) return undefined
    if (!this.#file.test(file) || !this.#text.test(text)) return undefined
    this.#left -= 1
    return this.#left === 0 ? this.point.when : undefined
  }

  /** Identifiers in text that has become durable: their replies are counted. */
  idsIn(text: string): string[] {
    const found = text.matchAll(new RegExp(this.#text, 'g'))
    return [...found].flatMap(match => match[1] ?? [])
  }

  /** Counts a reply. */
  onReply(): Point['when'] | undefined {
    if (this.#left === 0) return undefined
    this.#left -= 1
    return this.#left === 0 ? this.point.when : undefined
  }
}
