import type { Account } from '../../../domain/account/account.js'
import { LruMap } from '../../../util/collections/lru-map.js'
import {
  type AttentionContext,
  type AttentionItem,
  type AttentionSources,
  listAttention,
  loadAttentionSources,
} from './attention.js'

/** Milliseconds for which the number of problems is shown on other pages of the account. */
const maxAge = 5000
const maxAccounts = 1000

export class AttentionList {
  readonly #context: AttentionContext
  readonly #counts = new LruMap<string, { readonly at: number; readonly count: number }>(
    maxAccounts,
    () => 1,
  )

  constructor(context: AttentionContext) {
    this.#context = context
  }

  /** Lists the problems of an account, most urgent first. @param sources what is loaded already */
  async list(
    account: Account,
    sources: AttentionSources = loadAttentionSources(this.#context, account),
  ): Promise<AttentionItem[]> {
    const items = await listAttention(this.#context, account, sources)
    this.#counts.set(account.id, { at: this.#context.now(), count: items.length })
    return items
  }

  /** Counts the problems of an account; the number may be five seconds old. */
  async count(account: Account): Promise<number> {
    const known = this.#counts.get(account.id)
    if (known !== undefined && this.#context.now() - known.at < maxAge) return known.count
    return (await this.list(account)).length
  }

  /** Makes the next page count again, after a form of the account. */
  forget(account: Account): void {
    this.#counts.delete(account.id)
  }
}
