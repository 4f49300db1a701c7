import type { Account } from '../../../domain/account/account.js'
import { getAvailableTime, type Message } from '../../../domain/message/message.js'
import {
  getQuarterHour,
  quarterHour,
  type StatusCounts,
  sumGroups,
} from '../../../domain/message/message-counts.js'
import type { LaterPlace } from '../../store/message-store.js'
import type { ServiceContext } from '../service-context.js'

const day = 24 * 60 * 60 * 1000
export interface PhoneCounts {
  readonly sent: number
  readonly failed: number
}

export interface LaterMessages {
  readonly messages: readonly Message[]
  readonly next: LaterPlace | undefined
}

export class MessageListService {
  readonly #context: ServiceContext

  constructor(context: ServiceContext) {
    this.#context = context
  }

  /**
   * Lists waiting messages that no phone has and that become due after a place, in order. They are
   * at most `count`; `next` is where a further call goes on.
   */
  async listLater(account: Account, after: LaterPlace, count: number): Promise<LaterMessages> {
    const now = this.#context.clock.now()
    const place = { ...after, at: Math.max(after.at, now) }
    const listed = await this.#context.store.messages.listLater(account.id, place, count + 1)
    const last = listed.length > count ? listed[count - 1] : undefined
    return {
      messages: listed.slice(0, count).filter(({ lease }) => (lease?.until ?? 0) <= now),
      next: last && { at: getAvailableTime(last), id: last.id },
    }
  }

  /** Lists at most `count` messages that the holder of a token has now, the last claimed first. */
  async listHeld(account: Account, holder: string, count: number): Promise<Message[]> {
    const { clock, store } = this.#context
    return await store.messages.listHeld(account.id, holder, clock.now(), count)
  }

  /**
   * Counts the messages on which a phone of the account reported last, created since the quarter
   * of an hour in which the last 24 hours began.
   */
  async countOfPhone(account: Account, phone: string): Promise<PhoneCounts> {
    const { clock, store } = this.#context
    const now = getQuarterHour(clock.now()) * quarterHour
    const query = { account: account.id, since: now - day, until: now + quarterHour }
    const groups = await store.statistics.countGroups(query)
    const own = sumGroups(groups, 'phone').find(({ name }) => name === phone)
    return { sent: own?.sent ?? 0, failed: own?.failed ?? 0 }
  }

  async countStatuses(account: Account): Promise<StatusCounts> {
    return await this.#context.store.messages.countStatuses(account.id)
  }
}
