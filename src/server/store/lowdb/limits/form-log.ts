import { BatchedLog } from '../../../../util/files/batched-log.js'
import { encodeChecksumLine } from '../../../../util/files/checksum-line.js'
import type { LimitKind, LimitStates } from '../../limit-store.js'

/** Limits that a restart of the relay must not forget: what forms did, showed and contained. */
export const formKinds = ['form', 'session record', 'form input'] as const satisfies LimitKind[]

type FormKind = (typeof formKinds)[number]

export function isFormKind(kind: unknown): kind is FormKind {
  return formKinds.includes(kind as FormKind)
}

/** A line of the log of forms: the new state of a record, `null` if it was removed. */
export interface FormLine {
  readonly kind: FormKind
  readonly key: string
  /** When the store may delete the record, in milliseconds since the epoch. */
  readonly until: number
  readonly state: LimitStates[FormKind] | null
}

export interface FormLogOptions {
  readonly path: string
  /** Lines of all records that the store has now. */
  readonly list: () => Iterable<FormLine>
  /** Applies a line of the file. */
  readonly apply: (line: FormLine) => void
  /** Called with one sentence if the log of forms cannot be read or written. */
  readonly warn?: (sentence: string) => void
}

/** Bytes by which the log of forms grows before it is rewritten. */
const rewriteAfter = 1 << 20

/**
 * The log of forms in the data directory. A form does not fail because of it: a line that cannot be
 * written is forgotten at the next restart.
 */
export class FormLog {
  readonly #log: BatchedLog<FormLine>

  private constructor({ path, list, warn }: FormLogOptions) {
    this.#log = new BatchedLog<FormLine>({
      path,
      encodeAll: () => Array.from(list(), encodeChecksumLine),
      encode: encodeChecksumLine,
      ...(warn && { warn }),
      rewriteAfter,
    })
  }

  /**
   * Applies the lines of the file and rewrites it; the first line creates a missing one. Never
   * rejects.
   */
  static async open(options: FormLogOptions): Promise<FormLog> {
    const log = new FormLog(options)
    await log.#log.reload(line => {
      if (isFormLine(line)) options.apply(line)
    }, false)
    return log
  }

  /** Resolves when the line is on the disk or cannot be written. */
  async append(line: FormLine): Promise<void> {
    await this.#log.append(line).catch(() => {
      // The log has called `warn`.
    })
  }

  async close(): Promise<void> {
    await this.#log.close()
  }
}

function isFormLine(line: unknown): line is FormLine {
  return typeof line === 'object' && line !== null && 'kind' in line && isFormKind(line.kind)
}
