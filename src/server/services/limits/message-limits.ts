// Limits per account, which the owner sets.
// - message-limits: lets an account create only as many messages as its limits allow
// - message-uses: counts the messages of an hour and of a day, for all nodes together
// - waiting-messages: counts the messages that wait
// - account-limit-service: sets the limits of accounts, and shows them with their use
import type { Account } from '../../../domain/account/account.js'
import { hasMessageLimits } from '../../../domain/account-limits.js'
import type { BatchResult } from '../../../domain/message/message-batch.js'
import { isRelayError, RelayError } from '../../../errors.js'
import { pluralize } from '../../../util/text/plural.js'
import { formatWait } from '../../../util/text/wait.js'
import type { MessageChangeRequest } from '../../store/message-store.js'
import { findResult } from '../../store/stored-result.js'
import type { ServiceContext } from '../service-context.js'
import { type MessageAllowance, MessageUseCounts } from './message-uses.js'
import { WaitingMessages } from './waiting-messages.js'

type Commit = (creations: readonly MessageChangeRequest[]) => Promise<BatchResult[]>

interface Reservation {
  readonly account: Account
  readonly count: number
  readonly at: number
}

const retryWaiting = 60

export class MessageLimits {
  readonly #context: ServiceContext
  readonly #uses: MessageUseCounts
  readonly #waiting: WaitingMessages

  constructor(context: ServiceContext) {
    this.#context = context
    this.#uses = new MessageUseCounts(context)
    this.#waiting = new WaitingMessages(context)
  }

  /**
   * Commits the first of these creations that the limits of the account allow; the others get
   * `too_many_requests`. A repeated request gets its first result, and does not count.
   */
  async commit(
    account: Account,
    creations: readonly MessageChangeRequest[],
    commit: Commit,
  ): Promise<BatchResult[]> {
    if (!hasMessageLimits(account.limits)) return await commit(creations)
    const areNew = await Promise.all(creations.map(each => this.#isNew(each)))
    const counted = creations.filter((_, at) => areNew[at])
    const { reservation, error } = await this.#reserve(account, counted.length)
    const refused = new Set(counted.slice(reservation.count))
    let created = reservation.count
    try {
      const allowed = creations.filter(each => !refused.has(each))
      const results = await commit(allowed)
      created = results.filter(({ message }, at) => message?.id === allowed[at]?.id).length
      const rest = results.values()
      return creations.map(each => {
        if (error !== undefined && refused.has(each)) return { error }
        return rest.next().value as BatchResult
      })
    } finally {
      await this.#release(reservation, created)
    }
  }

  async #isNew({ id, options }: MessageChangeRequest): Promise<boolean> {
    const key = options?.idempotencyKey
    if (id === '' || key === undefined) return id !== ''
    try {
      return (await findResult(this.#context.store.messages, key)) === undefined
    } catch (error) {
      if (isRelayError(error, 'invalid_request')) return false
      throw error
    }
  }

  async #reserve(
    account: Account,
    wanted: number,
  ): Promise<{ readonly reservation: Reservation; readonly error?: RelayError }> {
    const { limits = {}, id } = account
    const { waitingMessages: max } = limits
    const at = this.#context.clock.now()
    const waiting = max === undefined ? wanted : await this.#waiting.add(id, max, wanted)
    const tooMany = max === undefined || waiting === wanted ? undefined : tooManyWaitingError(max)
    let count = 0
    let limit: MessageAllowance['limit']
    try {
      ;({ count, limit } = await this.#countUses(account, waiting, at))
    } finally {
      if (max !== undefined) this.#waiting.remove(id, waiting - count, 0)
    }
    const error = limit === undefined ? tooMany : tooManyMessagesError(limit, at)
    const reservation = { account, count, at }
    return error === undefined ? { reservation } : { reservation, error }
  }

  async #countUses(
    { id, limits = {} }: Account,
    count: number,
    at: number,
  ): Promise<MessageAllowance> {
    if ((limits.messagesPerHour ?? limits.messagesPerDay) === undefined) return { count }
    return await this.#uses.add(id, limits, count, at)
  }

  async #release({ account, count, at }: Reservation, created: number): Promise<void> {
    const { id, limits = {} } = account
    if (limits.waitingMessages !== undefined) this.#waiting.remove(id, count, created)
    if ((limits.messagesPerHour ?? limits.messagesPerDay) === undefined) return
    await this.#uses.remove(id, count - created, at)
  }
}

const hint = 'Ask the owner of the relay for a higher limit.'

function tooManyMessagesError(
  { max, period, nextAt }: NonNullable<MessageAllowance['limit']>,
  now: number,
): RelayError {
  const retryAfter = Math.max(1, Math.ceil((nextAt - now) / 1000))
  const limit = `${pluralize(max, 'message')} ${period}`
  return new RelayError(
    'too_many_requests',
    `The account may create ${limit}; try again in ${formatWait(retryAfter)}.`,
    { retryAfter, hint },
  )
}

function tooManyWaitingError(max: number): RelayError {
  return new RelayError(
    'too_many_requests',
    `The account may have ${pluralize(max, 'waiting message')}; try again when some are sent.`,
    { retryAfter: retryWaiting, hint },
  )
}
