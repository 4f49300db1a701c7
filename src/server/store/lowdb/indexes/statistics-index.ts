import {
  type CountName,
  type Counts,
  countNames,
  createEmptyCounts,
  type DeletedCounts,
  getQuarterHour,
  listOutcomes,
  quarterHour,
} from '../../../../domain/message/message-counts.js'
import type { TimeSpans } from '../../statistics-store.js'
import type { MessageHead } from '../message-table/message-table.js'

type CountsByQuarter = Map<number, Record<CountName, number>>

/**
 * Index of statistics: counts of each account's messages, present and deleted, in each quarter of
 * an hour.
 */
export class StatisticsIndex {
  readonly #accounts = new Map<string, CountsByQuarter>()
  #since = Number.NEGATIVE_INFINITY

  /**
   * The first quarter of an hour with message counts in the store's index, as its number since the
   * epoch.
   */
  get since(): number {
    return this.#since
  }

  updateMessage(before: MessageHead | undefined, after: MessageHead | undefined): void {
    if (before === undefined && after !== undefined) this.#countCreated(after, 1)
    if (before !== undefined && after === undefined) this.#countCreated(before, -1)
    if (isCountedAlike(before, after)) return
    if (before !== undefined) this.#countFinished(before, -1)
    if (after !== undefined) this.#countFinished(after, 1)
  }

  updateDeletedCounts(before: DeletedCounts | undefined, after: DeletedCounts | undefined): void {
    const { account, quarter } = after ?? before ?? {}
    if (account === undefined || quarter === undefined) return
    for (const name of countNames) {
      this.#count(account, name, quarter, (after?.[name] ?? 0) - (before?.[name] ?? 0))
    }
  }

  deleteBefore(quarter: number): void {
    this.#since = quarter
    for (const [account, quarters] of this.#accounts) {
      for (const at of quarters.keys()) if (at < quarter) quarters.delete(at)
      if (quarters.size === 0) this.#accounts.delete(account)
    }
  }

  sumSpans(account: string, { from, length, count }: TimeSpans): Counts[] {
    const sums = Array.from({ length: count }, createEmptyCounts)
    const quarters = this.#accounts.get(account)
    const first = getQuarterHour(from)
    const quartersPerSpan = length / quarterHour
    for (const [at, sum] of sums.entries()) {
      for (let step = 0; step < quartersPerSpan; step += 1)
        addCounts(sum, quarters?.get(first + at * quartersPerSpan + step))
    }
    return sums
  }

  #countCreated(message: MessageHead, change: number): void {
    this.#count(message.account, 'created', getQuarterHour(message.createdAt), change)
  }

  #countFinished(message: MessageHead, change: number): void {
    for (const outcome of listOutcomes(message))
      this.#count(message.account, outcome, getQuarterHour(message.statusAt), change)
  }

  #count(account: string, name: CountName, quarter: number, change: number): void {
    if (quarter < this.#since || change === 0) return
    const quarters = this.#accounts.get(account) ?? new Map()
    if (quarters.size === 0) this.#accounts.set(account, quarters)
    const counts = quarters.get(quarter) ?? createEmptyCounts()
    counts[name] += change
    if (change > 0) quarters.set(quarter, counts)
    else if (countNames.every(each => counts[each] === 0)) quarters.delete(quarter)
  }
}

function isCountedAlike(before: MessageHead | undefined, after: MessageHead | undefined): boolean {
  return (
    before?.status === after?.status &&
    before?.statusAt === after?.statusAt &&
    before?.delivery === after?.delivery
  )
}

function addCounts(sum: Record<CountName, number>, counts: Counts | undefined): void {
  if (counts !== undefined) for (const name of countNames) sum[name] += counts[name]
}
