import type { Account } from '../../../domain/account/account.js'
import { type MessageFilter, messageFilters } from '../../../domain/message/message-filter.js'
import type { MessageQuery } from '../../store/message-store.js'

export interface MessagePage {
  readonly filter: MessageFilter
  readonly start: number
  readonly count: number
  readonly order: 'asc' | 'desc'
  /** Id of the message before `start`, if the service knows it. */
  readonly after?: string | undefined
  /** Id of the message behind the page, if the service knows it; for a list only. */
  readonly before?: string | undefined
}

export function toQuery(account: Account, page: MessagePage): MessageQuery {
  const { filter, ...rest } = page
  return { account: account.id, statuses: messageFilters[filter], ...rest }
}
