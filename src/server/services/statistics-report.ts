import type { Account } from '../../domain/account/account.js'
import type { ReportKind } from '../../domain/message/message-counts.js'
import {
  type Counts,
  countNames,
  countRetention,
  createEmptyCounts,
  quarterHour,
  sumGroups,
} from '../../domain/message/message-counts.js'
import { type LocalSpan, listDays, listHours } from '../../domain/time/local-day.js'
import { RelayError } from '../../errors.js'
import type { ServiceContext } from './service-context.js'

/** What a report of the service counts; the days `YYYY-MM-DD` are included. */
export interface ReportRequest {
  readonly by: ReportKind
  readonly from: string
  readonly to: string
  /** Name of the time zone of the report's days (IANA). */
  readonly zone: string
}

export interface ReportRow extends Counts {
  /** A local day or hour, or the group of the report; empty: messages without one. */
  readonly name: string
  /** Begin of the report's day or hour, in milliseconds since the epoch. */
  readonly from?: number
}

export interface StatisticsReport {
  readonly rows: readonly ReportRow[]
  /** Whether the report counts all messages of its days. */
  readonly isComplete: boolean
}

const maxReportDays = { day: 92, hour: 31, group: 366 } as const

const hour = 60 * 60 * 1000
const day = 24 * hour

/**
 * Counts the messages of some days from the counts that the store keeps: by day and hour, also of
 * deleted messages, or the stored messages by groups.
 */
export class StatisticsReports {
  readonly #context: ServiceContext

  constructor(context: ServiceContext) {
    this.#context = context
  }

  async create(account: Account, request: ReportRequest): Promise<StatisticsReport> {
    const { by, from, to, zone } = request
    checkDays(request)
    if (by === 'day' || by === 'hour') {
      const spans = by === 'day' ? listDays(from, to, zone) : listHours(from, to, zone)
      return await this.#countSpans(account, spans)
    }
    const days = listDays(from, to, zone)
    const since = days[0]?.from ?? 0
    const until = days.at(-1)?.until ?? 0
    const { statistics } = this.#context.store
    const groups = await statistics.countGroups({ account: account.id, since, until })
    return { rows: sumGroups(groups, by), isComplete: true }
  }

  async #countSpans(account: Account, spans: readonly LocalSpan[]): Promise<StatisticsReport> {
    const since = spans[0]?.from ?? 0
    const length = findLength(spans, since)
    const count = Math.ceil(((spans.at(-1)?.until ?? since) - since) / length)
    const query = { from: since, length, count }
    const counts = await this.#context.store.statistics.getCounts(account.id, query)
    const rows = spans.map(({ name, from, until }) => {
      const own = counts.slice((from - since) / length, Math.ceil((until - since) / length))
      return { name, from, ...sumCounts(own) }
    })
    return { rows, isComplete: since >= this.#context.clock.now() - countRetention }
  }
}

function findLength(spans: readonly LocalSpan[], since: number): number {
  const bounds = spans.flatMap(({ from, until }) => [from - since, until - since])
  const divides = (length: number): boolean => bounds.every(bound => bound % length === 0)
  return [day, hour].find(divides) ?? quarterHour
}

function checkDays({ by, from, to }: ReportRequest): void {
  const kind = by === 'day' || by === 'hour' ? by : 'group'
  const count = (Date.parse(to) - Date.parse(from)) / day + 1
  if (count < 1)
    throw new RelayError('invalid_parameter', '`to` is before `from`; exchange the two days.')
  if (count > maxReportDays[kind]) {
    const text = `A report by ${by} has at most ${maxReportDays[kind]} days, not ${count}.`
    throw new RelayError('invalid_parameter', text, { hint: 'Choose a later first day.' })
  }
}

export function sumCounts(counts: readonly Counts[]): Counts {
  const sum = createEmptyCounts()
  for (const each of counts) for (const name of countNames) sum[name] += each[name]
  return sum
}
