import type { Subscription } from '../../../../domain/webhook/subscription.js'

/** The ids of each account's subscriptions, so that no request goes through those of all. */
export class SubscriptionIndex {
  readonly #accounts = new Map<string, Set<string>>()

  update(before: Subscription | undefined, after: Subscription | undefined): void {
    if (before !== undefined && before.account === after?.account) return
    if (before !== undefined) this.#remove(before)
    if (after === undefined) return
    const ids = this.#accounts.get(after.account) ?? new Set()
    this.#accounts.set(after.account, ids.add(after.id))
  }

  count(account: string): number {
    return this.#accounts.get(account)?.size ?? 0
  }

  list(account: string): Iterable<string> {
    return this.#accounts.get(account) ?? []
  }

  #remove({ account, id }: Subscription): void {
    const ids = this.#accounts.get(account)
    ids?.delete(id)
    if (ids?.size === 0) this.#accounts.delete(account)
  }
}
