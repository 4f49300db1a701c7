import type { Lease } from '../../../../domain/message/message.js'
import { SortedList } from './sorted-list.js'

const pageSize = 100

interface LeasedMessage {
  readonly id: string
  readonly holder: string
  until: number
  readonly claim: number | undefined
}

/** What a holder leases: most phones claim either in batches or one message at a time. */
interface HeldMessages {
  numbered?: SortedList<LeasedMessage, number>
  /** Leases of all other messages: a few, so an array takes less time and memory than a Map. */
  readonly unnumbered: LeasedMessage[]
}

const none: readonly string[] = []

export class LeaseIndex {
  readonly #byHolder = new Map<string, HeldMessages>()
  readonly #all = new Map<string, LeasedMessage>()

  /** The messages that a holder leases at `now`, the one with the last end first. */
  findRunning(holder: string, now: number): readonly string[] {
    const held = this.#byHolder.get(holder)
    if (held === undefined) return none
    const { numbered, unnumbered } = held
    const all = [...(numbered?.listAfter(0, numbered.size) ?? []), ...unnumbered]
    return getRunning(all.sort(compareEnds), now)
  }

  /** The messages whose lease ended at or before `now`; the index must not change meanwhile. */
  *findEnded(now: number): Iterable<string> {
    for (const { id, until } of this.#all.values()) {
      if (until <= now) yield id
    }
  }

  /**
   * The messages that a holder leases at `now` and that it may not know: those with a number after
   * `since`, in the order of their claims, then those without a number. The index may change
   * meanwhile.
   */
  *findRunningSince(holder: string, since: number, now: number): Iterable<string> {
    const held = this.#byHolder.get(holder)
    if (held === undefined) return
    const unnumbered = [...held.unnumbered]
    for (let last = since; ; ) {
      const page = held.numbered?.listAfter(last, pageSize) ?? []
      yield* getRunning(page, now)
      if (page.length < pageSize) break
      last = page.at(-1)?.claim ?? last
    }
    yield* getRunning(unnumbered, now)
  }

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
    this.#addToHolder(leased)
    return end
  }

  remove(id: string): number | undefined {
    const leased = this.#all.get(id)
    if (leased === undefined) return undefined
    this.#all.delete(id)
    this.#removeFromHolder(leased)
    return leased.until
  }

  #addToHolder(leased: LeasedMessage): void {
    let held = this.#byHolder.get(leased.holder)
    if (held === undefined) {
      held = { unnumbered: [] }
      this.#byHolder.set(leased.holder, held)
    }
    if (leased.claim === undefined) held.unnumbered.push(leased)
    else {
      held.numbered ??= new SortedList(getClaim)
      held.numbered.add(leased)
    }
  }

  #removeFromHolder(leased: LeasedMessage): void {
    const { holder, claim } = leased
    const held = this.#byHolder.get(holder)
    if (held === undefined) return
    const { numbered, unnumbered } = held
    if (claim === undefined) unnumbered.splice(unnumbered.indexOf(leased), 1)
    else numbered?.remove(claim)
    if (unnumbered.length + (numbered?.size ?? 0) === 0) this.#byHolder.delete(holder)
  }
}

function getClaim({ claim }: LeasedMessage): number {
  return claim ?? 0
}

function getRunning(leased: readonly LeasedMessage[], now: number): string[] {
  return leased.filter(({ until }) => until > now).map(({ id }) => id)
}

function compareEnds(a: LeasedMessage, b: LeasedMessage): number {
  if (a.until !== b.until) return b.until - a.until
  return a.id < b.id ? 1 : -1
}
