import { getAvailableTime, type Message } from '../../../../domain/message/message.js'
import { LruMap } from '../../../../util/collections/lru-map.js'

/** Milliseconds after which a claim looks at everything again. */
const fullScanInterval = 1000
/** Milliseconds by which changes of other nodes may be older than the newest claims of this one. */
const foreignDelay = 1000
const maxMarks = 10_000

interface Mark {
  at: number
  fullScanAt: number
}

export interface MarkScan {
  /** By key: the least time that was noted meanwhile. */
  readonly lowered: Map<string, number>
}

/**
 * Times, by key, before which an index has no entries of messages, as far as this node knows. A
 * claim that starts there need not pass the entries of earlier states of messages, of which there
 * are many while a long transaction keeps the database from removing them.
 */
export class Marks {
  readonly #monotonic: () => number
  readonly #marks = new LruMap<string, Mark>(maxMarks, () => 1)
  readonly #scans = new Set<MarkScan>()

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic
  }

  get(key: string): number {
    const mark = this.#marks.get(key)
    if (mark === undefined) return 0
    const now = this.#monotonic()
    if (now < mark.fullScanAt) return mark.at
    mark.fullScanAt = now + fullScanInterval
    return 0
  }

  begin(): MarkScan {
    const scan = { lowered: new Map<string, number>() }
    this.#scans.add(scan)
    return scan
  }

  end(scan: MarkScan, found: ReadonlyMap<string, number>): void {
    this.#scans.delete(scan)
    for (const [key, first] of found) {
      const at = Math.min(first, scan.lowered.get(key) ?? first)
      const mark = this.#marks.get(key)
      if (mark !== undefined) mark.at = at
      else this.#marks.set(key, { at, fullScanAt: this.#monotonic() + fullScanInterval })
    }
  }

  forget(key: string): void {
    this.#marks.delete(key)
  }

  lower(key: string, at: number): void {
    const mark = this.#marks.get(key)
    if (mark !== undefined && at < mark.at) mark.at = at
    for (const { lowered } of this.#scans) {
      lowered.set(key, Math.min(at, lowered.get(key) ?? at))
    }
  }
}

export class ClaimMarks {
  readonly due: Marks
  /** By token: when the first of its leases ends. */
  readonly held: Marks

  constructor(monotonic: () => number) {
    this.due = new Marks(monotonic)
    this.held = new Marks(monotonic)
  }

  noteChange(message: Message): void {
    this.due.lower(message.account, getAvailableTime(message))
    const { lease } = message
    if (lease !== undefined) this.held.lower(lease.holder, lease.until)
  }

  /** Notes that another node changed messages of an account, some of which `holders` lease. */
  noteForeignChange(account: string, holders: readonly string[], now: number): void {
    this.due.lower(account, now - foreignDelay)
    for (const holder of holders) this.held.forget(holder)
  }
}

/**
 * The mark of a token after a claim that found no lease of it and began one until `until`. Another
 * node can have extended that lease with a clock that is late.
 */
export function getHeldMark(until: number): number {
  return until - foreignDelay
}
