import type { Account } from '../../../domain/account/account.js'
import type { StatusCounts } from '../../../domain/message/message-counts.js'
import type { ServiceContext } from '../service-context.js'

/** The service for views of many messages of an account, in limited time. */
export class MessageListService {
  readonly #context: ServiceContext

  constructor(context: ServiceContext) {
    this.#context = context
  }

  /** Counts the account's stored messages by state; see {@link StatusCounts}. */
  async countStatuses(account: Account): Promise<StatusCounts> {
    return await this.#context.store.messages.countStatuses(account.id)
  }
}
