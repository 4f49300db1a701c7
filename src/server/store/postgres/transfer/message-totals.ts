import type { Message } from '../../../../domain/message/message.js'
import {
  type CountName,
  countNames,
  createEmptyCounts,
  type DeletedCounts,
  formatGroup,
  type GroupedFields,
  getQuarterHour,
  listOutcomes,
} from '../../../../domain/message/message-counts.js'
import { countedSpans } from '../message-rows/group-count.js'

export interface TotalRow {
  readonly account: string
  readonly quarter: number
  readonly name: CountName
  readonly count: number
}

export interface GroupCountRow extends Omit<TotalRow, 'name'> {
  readonly span: number
  readonly name: string
}

/**
 * Counts messages by account and quarter of an hour. The database counts all messages that ever
 * were, a data directory only the deleted ones.
 */
export class MessageTotals {
  readonly #counts = new Map<string, number>()
  readonly #groups = new Map<string, number>()
  readonly #deleted = new Map<string, Record<CountName, number>>()

  add(message: Pick<Message, 'account' | 'createdAt' | 'status' | 'statusAt' | 'delivery'>): void {
    const { account, createdAt, statusAt } = message
    this.#add(account, getQuarterHour(createdAt), 'created', 1)
    for (const name of listOutcomes(message)) this.#add(account, getQuarterHour(statusAt), name, 1)
  }

  addDeleted({ account, quarter, ...counts }: DeletedCounts): void {
    for (const name of countNames) this.#add(account, quarter, name, counts[name] ?? 0)
  }

  /** Counts a message by its group as the database does; only an import needs that. */
  addToGroups(message: GroupedFields & Pick<Message, 'account'>): void {
    const quarter = getQuarterHour(message.createdAt)
    for (const span of Object.values(countedSpans)) {
      const first = quarter - (quarter % span)
      const key = `${message.account} ${span} ${first} ${formatGroup(message)}`
      this.#groups.set(key, (this.#groups.get(key) ?? 0) + 1)
    }
  }

  *groupRows(): Iterable<GroupCountRow> {
    for (const [key, count] of this.#groups) {
      const [account = '', span, quarter, ...words] = key.split(' ')
      const name = words.join(' ')
      yield { account, span: Number(span), quarter: Number(quarter), name, count }
    }
  }

  *rows(): Iterable<TotalRow> {
    for (const [key, count] of this.#counts) {
      const [account = '', quarter, name] = key.split(' ')
      if (count > 0) yield { account, quarter: Number(quarter), name: name as CountName, count }
    }
  }

  /** Takes a count of all messages, and keeps what is not of those that were added. */
  subtractFrom({ account, quarter, name, count }: TotalRow): void {
    const deleted = count - (this.#counts.get(`${account} ${quarter} ${name}`) ?? 0)
    if (deleted <= 0) return
    const id = `${account} ${quarter}`
    const counts = this.#deleted.get(id) ?? createEmptyCounts()
    counts[name] += deleted
    this.#deleted.set(id, counts)
  }

  *listDeleted(): Iterable<DeletedCounts> {
    for (const [id, counts] of this.#deleted) {
      const [account = '', quarter] = id.split(' ')
      yield { ...counts, id, account, quarter: Number(quarter) }
    }
  }

  #add(account: string, quarter: number, name: CountName, count: number): void {
    const key = `${account} ${quarter} ${name}`
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + count)
  }
}
