/** Milliseconds after which a claim looks at all waiting messages again. */
const fullScanInterval = 1000
/** Milliseconds by which messages of other nodes may be older than the newest claimed ones. */
const foreignDelay = 1000

interface Mark {
  at: number
  fullScanAt: number
}

/** A statement in progress that looks for due messages from marks on. */
export interface ClaimScan {
  /** By account: the least time of messages that became available meanwhile. */
  readonly lowered: Map<string, number>
}

/**
 * Times before which an account has no available messages, as far as this node knows. A claim that
 * starts there need not pass the index entries of messages that are already taken, of which there
 * are many while a long transaction keeps the database from removing them.
 */
export class ClaimMarks {
  readonly #monotonic: () => number
  readonly #marks = new Map<string, Mark>()
  readonly #scans = new Set<ClaimScan>()

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic
  }

  /** Where a claim of an account starts to look for messages. */
  get(account: string): number {
    const mark = this.#marks.get(account)
    if (mark === undefined) return 0
    const now = this.#monotonic()
    if (now < mark.fullScanAt) return mark.at
    mark.fullScanAt = now + fullScanInterval
    return 0
  }

  begin(): ClaimScan {
    const scan = { lowered: new Map<string, number>() }
    this.#scans.add(scan)
    return scan
  }

  /** Ends a scan; `found` has the first time at which it found a message, by account. */
  end(scan: ClaimScan, found: ReadonlyMap<string, number>): void {
    this.#scans.delete(scan)
    for (const [account, first] of found) {
      const at = Math.min(first, scan.lowered.get(account) ?? first)
      const mark = this.#marks.get(account)
      if (mark !== undefined) mark.at = at
      else this.#marks.set(account, { at, fullScanAt: this.#monotonic() + fullScanInterval })
    }
  }

  /** Forgets the mark of an account without due messages. */
  forget(account: string): void {
    this.#marks.delete(account)
  }

  /** Notes a message of an account that is available from `at` on. */
  lower(account: string, at: number): void {
    const mark = this.#marks.get(account)
    if (mark !== undefined && at < mark.at) mark.at = at
    for (const { lowered } of this.#scans) {
      lowered.set(account, Math.min(at, lowered.get(account) ?? at))
    }
  }

  /** Notes that another node changed messages of an account. */
  lowerForOthers(account: string, now: number): void {
    this.lower(account, now - foreignDelay)
  }
}
