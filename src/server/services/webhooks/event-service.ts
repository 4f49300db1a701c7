import { setMaxListeners } from 'node:events'
import type { Account } from '../../../domain/account/account.js'
import type { EventName, RelayEvent } from '../../../domain/webhook/event.js'
import type { EventPage } from '../../store/event-store.js'
import type { Caller, TokenService } from '../accounts/token-service.js'
import type { ServiceContext } from '../service-context.js'
import { AccountListeners } from './account-listeners.js'

/** Where to begin among an account's events, and which of them count. */
export interface EventPosition {
  /** Events with a higher number; -N: the last N. */
  readonly after: number
  /** @default every name */
  readonly names?: readonly EventName[] | undefined
}

/** A piece of an event stream; one with nothing in it is a sign of life. */
export interface EventBatch {
  readonly events: readonly RelayEvent[]
  /** Set where events after this place, and before those of this piece or later, are no longer kept. */
  readonly missingAfter?: number
}

/** How {@link EventService.follow} goes on. */
export interface FollowOptions {
  /** Milliseconds between two signs of life. */
  readonly heartbeat: number
  /** Ends the stream. */
  readonly signal: AbortSignal
}

/** Events in a piece of a stream at most. */
const batchSize = 100

/** An account's own events, read in pages and followed as they are recorded (README: the event stream). */
export class EventService {
  readonly #context: ServiceContext
  readonly #tokens: Pick<TokenService, 'getEndTime'>
  readonly #bells: AccountListeners
  readonly #stop = new AbortController()

  constructor(context: ServiceContext, tokens: Pick<TokenService, 'getEndTime'>) {
    this.#context = context
    this.#tokens = tokens
    this.#bells = new AccountListeners(context.store)
    setMaxListeners(0, this.#stop.signal)
  }

  /** Aborted by {@link stop}. */
  get stopping(): AbortSignal {
    return this.#stop.signal
  }

  /** At most `count` events. */
  async readPage(account: Account, place: EventPosition, count: number): Promise<EventPage> {
    return await this.#context.store.events.getPage({ account: account.id, count, ...place })
  }

  /**
   * The events from a place on, and those to come, in pieces; each is read when the one before was taken. Ends with the
   * caller's token, whose life it does not extend, with the signal and with {@link stop}.
   */
  async *follow(
    { account, holder }: Pick<Caller, 'account' | 'holder'>,
    place: EventPosition,
    { heartbeat, signal }: FollowOptions,
  ): AsyncGenerator<EventBatch> {
    const bell = this.#bells.add(account.id)
    signal.addEventListener('abort', bell.notify)
    let { after } = place
    let told = 0
    let timedOut = false
    try {
      for (;;) {
        bell.reset()
        const end = await this.#tokens.getEndTime(holder)
        if (end === undefined || signal.aborted || this.stopping.aborted) return
        const {
          events,
          lastSeq: last,
          lastRemovedSeq: removed,
        } = await this.readPage(account, { ...place, after }, batchSize)
        const isGap = after >= 0 && removed > Math.max(after, told)
        if (isGap) yield { events, missingAfter: after }
        else if (events.length > 0 || timedOut) yield { events }
        if (isGap) told = removed
        after = events.at(-1)?.seq ?? (after < 0 ? last : after)
        const wait = Math.min(heartbeat, end - this.#context.now())
        timedOut = events.length < batchSize && !(await bell.wait(wait))
      }
    } finally {
      signal.removeEventListener('abort', bell.notify)
      bell.remove()
    }
  }

  /** Ends every stream. */
  stop(): void {
    this.#stop.abort()
    this.#bells.close()
  }
}
