import type { Lease } from '../../../../domain/message/message.js'
import { SortedList } from './sorted-list.js'

const pageSize = 100

interface LeasedMessage {
  readonly id: string
  readonly holder: string
  until: number
  readonly claim: number | undefined
}

interface HolderIndex {
  readonly byId: Map<string, LeasedMessage>
  /** Those that were claimed in batches, by the numbers of their claims. */
  readonly numbered: SortedList<LeasedMessage, number>
  /** The others. */
  readonly unnumbered: Map<string, LeasedMessage>
}

/** Finds the leases of waiting messages, also those that have ended. */
export class LeaseIndex {
  readonly #byHolder = new Map<string, HolderIndex>()
  readonly #all = new Map<string, LeasedMessage>()

  /** The messages whose lease ended at or before `now`. */
  findEnded(now: number): string[] {
    const ended: string[] = []
    for (const { id, until } of this.#all.values()) if (until <= now) ended.push(id)
    return ended
  }

  /** The messages that a holder leases at `now`, the one with the last end first. */
  findRunning(holder: string, now: number): string[] {
    const held = [...(this.#byHolder.get(holder)?.byId.values() ?? [])]
    return getRunning(held.sort(compareEnds), now)
  }

  /**
   * The messages that a holder leases at `now` and that it may not know: those with a number after
   * `since`, in the order of their claims, then those without a number. The index may change
   * meanwhile.
   */
  *findRunningSince(holder: string, since: number, now: number): Iterable<string> {
    const held = this.#byHolder.get(holder)
    if (held === undefined) return
    const unnumbered = [...held.unnumbered.values()]
    for (let last = since; ; ) {
      const page = held.numbered.listAfter(last, pageSize)
      yield* getRunning(page, now)
      if (page.length < pageSize) break
      last = page.at(-1)?.claim ?? last
    }
    yield* getRunning(unnumbered, now)
  }

  /** Adds or changes the lease of a message; returns the end of the lease that it had here. */
  set(id: string, { holder, until, claim }: Lease): number | undefined {
    const before = this.#all.get(id)
    const end = before?.until
    if (before?.holder === holder && before.claim === claim) {
      before.until = until
      return end
    }
    if (before !== undefined) this.#removeFromHolder(before)
    const leased = { id, holder, until, claim }
    this.#all.set(id, leased)
    const held = this.#byHolder.get(holder) ?? createHolderIndex()
    this.#byHolder.set(holder, held)
    held.byId.set(id, leased)
    if (claim === undefined) held.unnumbered.set(id, leased)
    else held.numbered.add(leased)
    return end
  }

  /** Removes the lease of a message; returns its end if it had one here. */
  remove(id: string): number | undefined {
    const leased = this.#all.get(id)
    if (leased === undefined) return undefined
    this.#all.delete(id)
    this.#removeFromHolder(leased)
    return leased.until
  }

  #removeFromHolder({ id, holder, claim }: LeasedMessage): void {
    const held = this.#byHolder.get(holder)
    held?.byId.delete(id)
    if (held?.byId.size === 0) this.#byHolder.delete(holder)
    else if (claim === undefined) held?.unnumbered.delete(id)
    else held?.numbered.remove(claim)
  }
}

function createHolderIndex(): HolderIndex {
  return {
    byId: new Map(),
    numbered: new SortedList(({ claim }) => claim ?? 0),
    unnumbered: new Map(),
  }
}

function getRunning(leased: readonly LeasedMessage[], now: number): string[] {
  return leased.filter(({ until }) => until > now).map(({ id }) => id)
}

function compareEnds(a: LeasedMessage, b: LeasedMessage): number {
  if (a.until !== b.until) return b.until - a.until
  return a.id < b.id ? 1 : -1
}
