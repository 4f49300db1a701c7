import { setMaxListeners } from 'node:events'
import type { Account } from '../../../domain/account/account.js'
import type { EventName, RelayEvent } from '../../../domain/webhook/event.js'
import { RelayError } from '../../../errors.js'
import type { EventPage } from '../../store/event-store.js'
import type { Caller, TokenService } from '../accounts/token-service.js'
import type { ServiceContext } from '../service-context.js'
import { AccountListeners, hasEventsOrEnd } from './account-listeners.js'
import { ChangeTimes } from './change-times.js'

export interface EventPosition {
  /** The service follows only events with a higher number; -N: the last N events. */
  readonly after: number
  readonly names?: readonly EventName[] | undefined
}

/** A part of an event stream; a batch without events is a heartbeat. */
export interface EventBatch {
  readonly events: readonly RelayEvent[]
  /**
   * Set by the event service if events were deleted between this number and the events of this
   * batch or later.
   */
  readonly missingAfter?: number
}

export interface FollowOptions {
  /**
   * Milliseconds without an event after which the service gives the event stream an empty batch.
   */
  readonly heartbeat: number
  readonly signal: AbortSignal
}

const batchSize = 100
/** Milliseconds between two notices of changes: further changes join the next one. */
const changeInterval = 200

/**
 * An account's own events: read in pages, or followed while they are recorded. Changes that are no
 * events, such as an edit or a claim, can be followed without details.
 */
export class EventService {
  readonly #context: ServiceContext
  readonly #tokens: Pick<TokenService, 'getEndTime'>
  readonly #listeners: AccountListeners
  readonly #changes: AccountListeners
  readonly #changeTimes: ChangeTimes
  readonly #stop = new AbortController()
  #streams = 0

  constructor(context: ServiceContext, tokens: Pick<TokenService, 'getEndTime'>) {
    this.#context = context
    this.#tokens = tokens
    const { store, clock } = context
    this.#listeners = new AccountListeners(store, clock, hasEventsOrEnd)
    this.#changes = new AccountListeners(store, clock, () => true)
    this.#changeTimes = new ChangeTimes(store, clock)
    setMaxListeners(0, this.#stop.signal)
  }

  get streams(): number {
    return this.#streams
  }

  get stopping(): AbortSignal {
    return this.#stop.signal
  }

  async readPage(account: Account, position: EventPosition, count: number): Promise<EventPage> {
    return await this.#context.store.events.getPage({ account: account.id, count, ...position })
  }

  /**
   * Follows an account's events: yields those after a position, then new ones; reads a batch when
   * the caller has consumed the last one. Ends with {@link stop}, and with the token of the caller,
   * which it does not extend. After the signal it yields the recorded events and ends.
   */
  async *follow(
    { account, holder }: Pick<Caller, 'account' | 'holder'>,
    position: EventPosition,
    { heartbeat, signal }: FollowOptions,
  ): AsyncGenerator<EventBatch> {
    const listener = this.#listeners.add(account.id)
    this.#streams += 1
    signal.addEventListener('abort', listener.notify)
    let { after } = position
    let reportedGap = 0
    let timedOut = false
    try {
      for (;;) {
        listener.reset()
        const end = await this.#tokens.getEndTime(holder)
        if (end === undefined || this.stopping.aborted) return
        const page = await this.readPage(account, { ...position, after }, batchSize)
        const { events, lastSeq, lastRemovedSeq } = page
        const isGap = after >= 0 && lastRemovedSeq > Math.max(after, reportedGap)
        if (isGap) yield { events, missingAfter: after }
        else if (events.length > 0 || timedOut) yield { events }
        if (isGap) reportedGap = lastRemovedSeq
        after = events.at(-1)?.seq ?? (after < 0 ? lastSeq : after)
        if (signal.aborted && events.length < batchSize) return
        const wait = Math.min(heartbeat, end - this.#context.clock.now())
        timedOut = events.length < batchSize && !(await listener.wait(wait))
      }
    } finally {
      signal.removeEventListener('abort', listener.notify)
      listener.remove()
      this.#streams -= 1
    }
  }

  assertReachable(): void {
    if (!this.#context.store.isAway()) return
    throw new RelayError('unavailable', 'The database is not available at present.')
  }

  /** Marks the present moment for {@link followChanges}, before something is read. */
  markChanges(): string {
    return this.#changeTimes.mark()
  }

  /**
   * Follows the changes of an account since a mark, of whichever kind and at any node: yields true
   * after changes, and false after a time without one. A mark of another node counts as a change.
   * Ends as {@link follow}, with the signal, and while the store cannot be reached.
   */
  async *followChanges(
    { account, holder }: Pick<Caller, 'account' | 'holder'>,
    mark: string,
    { heartbeat, signal }: FollowOptions,
  ): AsyncGenerator<boolean> {
    const listener = this.#changes.add(account.id)
    if (this.#changeTimes.hasChanged(account.id, mark)) listener.notify()
    this.#streams += 1
    signal.addEventListener('abort', listener.notify)
    try {
      for (;;) {
        const end = await this.#tokens.getEndTime(holder)
        if (end === undefined || this.stopping.aborted || signal.aborted) return
        const { clock } = this.#context
        const hasChanged = await listener.wait(Math.min(heartbeat, end - clock.now()))
        listener.reset()
        if (signal.aborted || this.#context.store.isAway()) return
        yield hasChanged
        if (hasChanged) await clock.sleep(changeInterval)
      }
    } finally {
      signal.removeEventListener('abort', listener.notify)
      listener.remove()
      this.#streams -= 1
    }
  }

  stop(): void {
    this.#stop.abort()
    this.#listeners.close()
    this.#changes.close()
    this.#changeTimes.close()
  }
}
