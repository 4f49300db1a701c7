import type { Lease, Message } from '../../../../domain/message/message.js'

interface LeasedMessage {
  readonly id: string
  readonly until: number
}

const none: readonly string[] = []

/** Finds the leases of waiting messages, also those that have ended. */
export class LeaseIndex {
  /** Of each holder, by their ends and then by identifier. */
  readonly #byHolder = new Map<string, LeasedMessage[]>()
  readonly #ids = new Set<string>()

  ids(): Iterable<string> {
    return this.#ids
  }

  /** The messages that a holder leases at `now`, the one with the last end first. */
  findRunning(holder: string, now: number): readonly string[] {
    const held = this.#byHolder.get(holder)
    if (held === undefined) return none
    const ended = held.findLastIndex(({ until }) => until <= now)
    return held
      .slice(ended + 1)
      .reverse()
      .map(({ id }) => id)
  }

  add({ id }: Message, { holder, until }: Lease): void {
    this.#ids.add(id)
    const held = this.#byHolder.get(holder)
    const leased = { id, until }
    if (held === undefined) this.#byHolder.set(holder, [leased])
    else held.splice(held.findLastIndex(other => isBefore(other, leased)) + 1, 0, leased)
  }

  /** Returns whether the message had a lease here. */
  remove({ id }: Message, { holder }: Lease): boolean {
    if (!this.#ids.delete(id)) return false
    const held = this.#byHolder.get(holder) ?? []
    if (held.length === 1) this.#byHolder.delete(holder)
    else {
      const at = held.findLastIndex(other => other.id === id)
      if (at !== -1) held.splice(at, 1)
    }
    return true
  }
}

function isBefore(a: LeasedMessage, b: LeasedMessage): boolean {
  return a.until < b.until || (a.until === b.until && a.id < b.id)
}
