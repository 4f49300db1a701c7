import {
  formatGroup,
  type GroupedFields,
  getQuarterHour,
  isInSameGroup,
} from '../../../../domain/message/message-counts.js'
import { formatNumbers, formatTexts } from '../groups/array-literal.js'

/**
 * Quarters of an hour that a row of `message_group_count` is about: one, or those of a day in UTC.
 * A period is counted from the rows of its days, and from those of its first and last hours.
 */
export const countedSpans = { quarter: 1, day: 96 } as const

export function buildGroupCount(source: string): string {
  const spans = Object.values(countedSpans).map(span => `(${span})`)
  return `
grouped as (
  insert into message_group_count as present (account, span, quarter, name, count)
  select c.account, s.span, c.quarter - c.quarter % s.span as first, c.name, sum(c.change)
  from (${source}) as c cross join (values ${spans.join(', ')}) as s (span)
  group by c.account, s.span, first, c.name having sum(c.change) <> 0
  order by c.account, s.span, first, c.name
  on conflict (account, span, quarter, name) do update set count = present.count + excluded.count
)`
}

export class GroupColumns {
  readonly #places: number[] = []
  readonly #quarters: number[] = []
  readonly #names: string[] = []
  readonly #changes: number[] = []

  get isEmpty(): boolean {
    return this.#places.length === 0
  }

  add(place: number, before: GroupedFields | undefined, after: GroupedFields | null): void {
    if (before !== undefined && after !== null && isInSameGroup(before, after)) return
    if (before !== undefined) this.#addOne(place, before, -1)
    if (after !== null) this.#addOne(place, after, 1)
  }

  encode(): string[] {
    return [
      formatNumbers(this.#places),
      formatNumbers(this.#quarters),
      formatTexts(this.#names),
      formatNumbers(this.#changes),
    ]
  }

  #addOne(place: number, message: GroupedFields, change: number): void {
    this.#places.push(place)
    this.#quarters.push(getQuarterHour(message.createdAt))
    this.#names.push(formatGroup(message))
    this.#changes.push(change)
  }
}
