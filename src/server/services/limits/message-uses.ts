import {
  addUses,
  countUses,
  getNextUseTime,
  removeUses,
} from '../../../domain/account/usage-limit.js'
import type { AccountLimits } from '../../../domain/account-limits.js'
import { getQuarterHour, quarterHour } from '../../../domain/message/message-counts.js'
import { rateUnits } from '../../../domain/time/rate.js'
import type { MessageUses } from '../../store/limit-store.js'
import type { ServiceContext } from '../service-context.js'

export interface MessageAllowance {
  readonly count: number
  /** What allows no more, and when it allows one more. */
  readonly limit?: { readonly max: number; readonly period: string; readonly nextAt: number }
}

const periods = [
  { name: 'hour', period: 'an hour', per: 'h', limit: 'messagesPerHour' },
  { name: 'day', period: 'a day', per: 'd', limit: 'messagesPerDay' },
] as const

const emptyUses: MessageUses = { hour: [], day: [] }

/**
 * The service's counts of the messages that accounts with limits created in the last hour and day.
 * All nodes share them. If the store has none, they begin with the statistics of the account.
 */
export class MessageUseCounts {
  readonly #context: ServiceContext

  constructor(context: ServiceContext) {
    this.#context = context
  }

  /** Counts up to `count` messages that an account is about to create at `now`. */
  async add(
    account: string,
    limits: AccountLimits,
    count: number,
    now: number,
  ): Promise<MessageAllowance> {
    let first: MessageUses | undefined
    for (;;) {
      let allowance: MessageAllowance | undefined
      const until = now + rateUnits.d
      await this.#context.store.limits.change('account messages', account, until, state => {
        const uses = state ?? first
        allowance = uses && findAllowance(uses, limits, count, now)
        if (uses === undefined || allowance === undefined) return null
        return allowance.count === 0 ? uses : addToAll(uses, now, allowance.count)
      })
      if (allowance !== undefined) return allowance
      first = await this.#readStatistics(account, now)
    }
  }

  async remove(account: string, count: number, at: number): Promise<void> {
    if (count === 0) return
    const until = at + rateUnits.d
    await this.#context.store.limits.change('account messages', account, until, state =>
      state === undefined
        ? null
        : { hour: removeUses(state.hour, at, count), day: removeUses(state.day, at, count) },
    )
  }

  async read(account: string): Promise<{ readonly hour: number; readonly day: number }> {
    const now = this.#context.clock.now()
    const state = await this.#context.store.limits.get('account messages', account)
    const { hour, day } = state ?? (await this.#readStatistics(account, now))
    return { hour: countUses(hour, { per: 'h' }, now), day: countUses(day, { per: 'd' }, now) }
  }

  /** A quarter of an hour that is partly too old counts whole, so that no limit is exceeded. */
  async #readStatistics(account: string, now: number): Promise<MessageUses> {
    const from = getQuarterHour(now - rateUnits.d) * quarterHour
    const count = getQuarterHour(now) - getQuarterHour(from) + 1
    const spans = { from, length: quarterHour, count }
    const counts = await this.#context.store.statistics.getCounts(account, spans)
    return counts.reduce((uses, { created }, at) => {
      const end = Math.min(from + (at + 1) * quarterHour - 1, now)
      return created === 0 ? uses : addToAll(uses, end, created)
    }, emptyUses)
  }
}

function findAllowance(
  uses: MessageUses,
  limits: AccountLimits,
  count: number,
  now: number,
): MessageAllowance {
  let allowance: MessageAllowance = { count }
  for (const { name, period, per, limit } of periods) {
    const max = limits[limit]
    if (max === undefined) continue
    const left = Math.max(0, max - countUses(uses[name], { per }, now))
    if (left >= allowance.count) continue
    const counted = left === 0 ? uses[name] : addUses(uses[name], { per }, now, left)
    const next = max === 0 ? now + rateUnits[per] : getNextUseTime(counted, { uses: max, per }, now)
    allowance = { count: left, limit: { max, period, nextAt: next } }
  }
  return allowance
}

function addToAll(uses: MessageUses, at: number, count: number): MessageUses {
  const hour = addUses(uses.hour, { per: 'h' }, at, count)
  return { hour, day: addUses(uses.day, { per: 'd' }, at, count) }
}
