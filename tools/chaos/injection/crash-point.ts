/** An action that can be the last one of a process. */
export type Act =
  | 'write'
  /** fsync or fdatasync of a file or directory. */
  | 'sync'
  | 'rename'
  | 'remove'
  | 'request'
  /** A reply with the identifier of the record that has just become durable. */
  | 'reply'

/** The exact point at which a process gets SIGKILL. */
export interface CrashPoint {
  readonly act: Act
  /** `torn`: after half of the bytes. */
  readonly when: 'before' | 'torn' | 'after'
  /** Pattern of the file name. @default any */
  readonly file?: string
  /**
   * Pattern of the written data, or of the data since the last sync. For a reply, the first group
   * is an identifier.
   */
  readonly text?: string
  /** The process dies at the action with this number, from 1. @default 1 */
  readonly nth?: number
  /** Whether data that was not synced is lost, as in a power cut. @default false */
  readonly power?: boolean
}

/** Environment variables of the preload. */
export const preloadVariables = {
  /** A {@link CrashPoint} as JSON. */
  point: 'CHAOS_POINT',
  /** A file with the number of milliseconds that the clock is ahead. */
  clock: 'CHAOS_CLOCK',
  /** A file that contains `full` or `failing` while the disk is in that state. */
  disk: 'CHAOS_DISK',
} as const

/** Counts actions until a {@link CrashPoint} is reached. */
export class CrashTrigger {
  readonly point: CrashPoint
  readonly #file: RegExp
  readonly #text: RegExp
  #left: number

  constructor(point: CrashPoint) {
    this.point = point
    this.#file = new RegExp(point.file ?? '')
    this.#text = new RegExp(point.text ?? '')
    this.#left = point.nth ?? 1
  }

  /** Counts one action; returns when to kill the process if it is the chosen one. */
  countAct(act: Act, file: string, text: string): CrashPoint['when'] | undefined {
    if (act !== this.point.act || this.#left === 0) return undefined
    if (!this.#file.test(file) || !this.#text.test(text)) return undefined
    this.#left -= 1
    return this.#left === 0 ? this.point.when : undefined
  }

  /** Identifiers in the data that has just become durable. */
  findIds(text: string): string[] {
    const found = text.matchAll(new RegExp(this.#text, 'g'))
    return [...found].flatMap(match => match[1] ?? [])
  }

  /** Counts one reply, like {@link countAct}. */
  countReply(): CrashPoint['when'] | undefined {
    if (this.#left === 0) return undefined
    this.#left -= 1
    return this.#left === 0 ? this.point.when : undefined
  }
}
