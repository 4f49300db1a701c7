import type { Lease, Message } from '../../../../domain/message/message.js'
import { SortedList } from './sorted-list.js'

interface LeasedMessage {
  readonly id: string
  readonly until: number
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
    return getIds(held.filter(({ until }) => until > now).sort(compareEnds))
  }

  /**
   * The messages that a holder leases at `now` and that it may not know: those with a number after
   * `since`, in the order of their claims, then those without a number.
   */
  findRunningSince(holder: string, since: number, now: number): string[] {
    const held = this.#byHolder.get(holder)
    if (held === undefined) return []
    const { numbered, unnumbered } = held
    const running = [...numbered.listAfter(since, numbered.size), ...unnumbered.values()]
    return getIds(running.filter(({ until }) => until > now))
  }

  add({ id }: Message, { holder, until, claim }: Lease): void {
    const leased = { id, until, claim }
    this.#all.set(id, leased)
    const held = this.#byHolder.get(holder) ?? createHolderIndex()
    this.#byHolder.set(holder, held)
    held.byId.set(id, leased)
    if (claim === undefined) held.unnumbered.set(id, leased)
    else held.numbered.add(leased)
  }

  /** Returns whether the message had a lease here. */
  remove({ id }: Message, { holder, claim }: Lease): boolean {
    if (!this.#all.delete(id)) return false
    const held = this.#byHolder.get(holder)
    held?.byId.delete(id)
    if (held?.byId.size === 0) this.#byHolder.delete(holder)
    else if (claim === undefined) held?.unnumbered.delete(id)
    else held?.numbered.remove(claim)
    return true
  }
}

function createHolderIndex(): HolderIndex {
  return {
    byId: new Map(),
    numbered: new SortedList(({ claim }) => claim ?? 0),
    unnumbered: new Map(),
  }
}

function getIds(held: readonly LeasedMessage[]): string[] {
  return held.map(({ id }) => id)
}

function compareEnds(a: LeasedMessage, b: LeasedMessage): number {
  if (a.until !== b.until) return b.until - a.until
  return a.id < b.id ? 1 : -1
}
