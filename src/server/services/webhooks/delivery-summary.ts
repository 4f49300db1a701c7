import type { Delivery } from '../../../domain/webhook/delivery.js'

export interface DeliveryHour {
  readonly from: number
  readonly delivered: number
  readonly failed: number
}

/** The service's summary of the webhook deliveries of the last day. Durations in milliseconds. */
export interface DeliverySummary {
  /** 24 hours; the last one is the present one. */
  readonly hours: readonly DeliveryHour[]
  readonly delivered: number
  readonly failed: number
  /** The median duration; undefined without deliveries. */
  readonly medianMs: number | undefined
  /** 95 % of the deliveries took at most so long. */
  readonly slowMs: number | undefined
  readonly lastFailure: Delivery | undefined
  /** If there are more deliveries: the time of the oldest one that is counted. */
  readonly since: number | undefined
}

/** Deliveries that a summary counts at most: a few milliseconds of work. */
export const maxSummarized = 1000

const hour = 60 * 60 * 1000
const hourCount = 24

export function summarizeDeliveries(
  latest: readonly Delivery[],
  now: number,
  offset: number,
): DeliverySummary {
  const ahead = offset * 60_000
  const end = (Math.floor((now + ahead) / hour) + 1) * hour - ahead
  const begin = end - hourCount * hour
  const counted = latest.filter(({ at }) => at >= begin)
  const hours = Array.from({ length: hourCount }, (_, at) => {
    const from = begin + at * hour
    const own = counted.filter(each => each.at >= from && each.at < from + hour)
    const delivered = own.filter(({ ok }) => ok).length
    return { from, delivered, failed: own.length - delivered }
  })
  const delivered = counted.filter(({ ok }) => ok).length
  const durations = counted.map(({ ms }) => ms).sort((a, b) => a - b)
  const isCut = latest.length >= maxSummarized && counted.length === latest.length
  return {
    hours,
    delivered,
    failed: counted.length - delivered,
    medianMs: durations[Math.floor(durations.length / 2)],
    slowMs: durations[Math.floor(durations.length * 0.95)],
    lastFailure: counted.find(({ ok }) => !ok),
    since: isCut ? latest.at(-1)?.at : undefined,
  }
}
