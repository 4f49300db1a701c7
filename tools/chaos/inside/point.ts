/** What a process of the program does that can be its last act. */
export type Act =
  /** Writing to a file. */
  | 'write'
  /** fsync or fdatasync of a file or directory. */
  | 'sync'
  | 'rename'
  | 'remove'
  /** Sending a request. */
  | 'request'
  /** Sending a reply that carries the identifier in what was last made durable. */
  | 'reply'

/** The exact point at which a process is killed with SIGKILL. */
export interface Point {
  readonly act: Act
  /** `torn`: half of the bytes are written first. */
  readonly when: 'before' | 'torn' | 'after'
  /** Pattern of the file's name. @default any */
  readonly file?: string
  /** Pattern of what is written, or was written since the last sync; for a reply its first group is an identifier. */
  readonly text?: string
  /** Which act of that kind it is, from 1. @default 1 */
  readonly nth?: number
  /** Whether everything goes that no sync has made durable, as in a power cut. @default false */
  readonly power?: boolean
}

/** Names of the variables that tell the preload what to do. */
export const variables = {
  /** A {@link Point} as JSON. */
  point: 'CHAOS_POINT',
  /** A file that holds how many milliseconds the clock is ahead. */
  clock: 'CHAOS_CLOCK',
  /** A file that is there while the disk has no room (`full`) or fails (`failing`). */
  disk: 'CHAOS_DISK',
} as const

/** Counts acts until the one of a {@link Point} comes. */
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

  /** When to end the process, if this act is the one. */
  on(act: Act, file: string, text: string): Point['when'] | undefined {
    if (act !== this.point.act || this.#left === 0) return undefined
    if (!this.#file.test(file) || !this.#text.test(text)) return undefined
    this.#left -= 1
    return this.#left === 0 ? this.point.when : undefined
  }

  /** Identifiers whose replies count, in what has just become durable. */
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
