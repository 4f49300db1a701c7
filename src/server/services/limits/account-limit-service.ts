import type { Account } from '../../../domain/account/account.js'
import {
  type AccountLimitChanges,
  type AccountLimitName,
  accountLimitNames,
  changeAccountLimits,
  getAccountLimit,
  mapAccountLimits,
  maxAccountLimit,
  recordLimitNames,
} from '../../../domain/account-limits.js'
import { RelayError } from '../../../errors.js'
import type { ServiceContext } from '../service-context.js'
import { MessageUseCounts } from './message-uses.js'

export interface LimitUse {
  readonly max?: number
  readonly used: number
}

export type AccountLimitUses = Readonly<Record<AccountLimitName, LimitUse>>

export class AccountLimitService {
  readonly #context: ServiceContext
  readonly #getMaxSubscriptions: () => number
  readonly #uses: MessageUseCounts

  constructor(context: ServiceContext, getMaxSubscriptions: () => number) {
    this.#context = context
    this.#getMaxSubscriptions = getMaxSubscriptions
    this.#uses = new MessageUseCounts(context)
  }

  async read(account: Account): Promise<AccountLimitUses> {
    const { store, clock } = this.#context
    const { id, limits = {} } = account
    const [messages, depth, subscriptions, tokens, ...records] = await Promise.all([
      this.#uses.read(id),
      store.messages.getQueueDepth(id, clock.now()),
      store.subscriptions.list(id),
      store.tokens.countMost(id),
      ...recordLimitNames.map(name => store[name].count(id)),
    ])
    const used: Partial<Record<AccountLimitName, number>> = {
      messagesPerHour: messages.hour,
      messagesPerDay: messages.day,
      waitingMessages: depth.waiting,
      subscriptions: subscriptions.length,
      tokens,
      ...Object.fromEntries(recordLimitNames.map((name, at) => [name, records[at]])),
    }
    const own = { ...limits, subscriptions: limits.subscriptions ?? this.#getMaxSubscriptions() }
    return mapAccountLimits(name => {
      const max = getAccountLimit(own, name)
      return { ...(max === undefined ? {} : { max }), used: used[name] ?? 0 }
    })
  }

  /**
   * Changes limits of an account; they apply from the next request on, on all nodes within a
   * second. What the account has already stays. Throws `invalid_parameter`, `not_an_account`.
   * @param precondition nothing changes if it throws for the current account
   */
  async change(
    { id, email }: Pick<Account, 'id' | 'email'>,
    changes: AccountLimitChanges,
    precondition?: (current: Account) => void,
  ): Promise<Account> {
    for (const name of accountLimitNames) checkLimit(name, changes[name])
    const changed = await this.#context.store.accounts.change(id, current => {
      precondition?.(current)
      const { limits: before, ...others } = current
      const limits = changeAccountLimits(before, changes)
      return { ...others, ...(limits === undefined ? {} : { limits }) }
    })
    if (changed !== undefined) return changed
    throw new RelayError('not_an_account', `There is no account ${email} any more.`)
  }
}

function checkLimit(name: AccountLimitName, value: number | null | undefined): void {
  if (value === undefined || value === null) return
  if (Number.isInteger(value) && value >= 0 && value <= maxAccountLimit) return
  throw new RelayError(
    'invalid_parameter',
    `The limit ${name} must be a whole number from 0 to ${maxAccountLimit}.`,
  )
}
