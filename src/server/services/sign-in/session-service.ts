import type { Token } from '../../../domain/account/account.js'
import type { Store } from '../../store/store.js'
import { getLastUse } from '../accounts/session-token.js'
import type { Caller } from '../accounts/token-service.js'
import type { ServiceContext } from '../service-context.js'

/** A session of the dashboard, or a User Login token of the API, as the service lists it. */
export interface SessionView {
  /** Identifier of the session's token, which is not the token. */
  readonly id: string
  readonly device: string
  readonly address: string
  readonly isSession: boolean
  /** When the person signed in, in milliseconds since the epoch; absent if that is unknown. */
  readonly startedAt?: number
  /**
   * When the session was last used, in milliseconds since the epoch: to the minute, and a token of
   * the API to a sixteenth of its lifetime. Absent if the service knows no more than that it was in
   * the last 12 hours.
   */
  readonly usedAt?: number
  /** Whether the service was called in this session. */
  readonly isCurrent: boolean
}

/** Lists and ends the sessions and User Login tokens of a person. */
export class SessionService {
  readonly #context: Pick<ServiceContext, 'store' | 'clock'>
  readonly #tokenLifetime: number

  /** @param tokenLifetime milliseconds that a token of the API is valid after its last use */
  constructor(context: Pick<ServiceContext, 'store' | 'clock'>, tokenLifetime: number) {
    this.#context = context
    this.#tokenLifetime = tokenLifetime
  }

  /** The same service on another store, such as that of one audited call. */
  withStore(store: Store): SessionService {
    return new SessionService({ ...this.#context, store }, this.#tokenLifetime)
  }

  /** Lists the sessions; the one of the caller first, then those used last. */
  async list(caller: Caller): Promise<SessionView[]> {
    const now = this.#context.clock.now()
    const tokens = (await this.#listTokens(caller)).filter(({ expiresAt }) => expiresAt > now)
    const views = tokens.map(token => this.#toView(token, caller.holder, now))
    const getUse = ({ isCurrent, usedAt = now }: SessionView) => (isCurrent ? Infinity : usedAt)
    return views.sort((a, b) => getUse(b) - getUse(a))
  }

  /** Ends a session of the caller's person; one that has ended or is another's is ignored. */
  async end(caller: Caller, id: string): Promise<void> {
    const tokens = await this.#listTokens(caller)
    if (tokens.some(token => token.id === id)) await this.#context.store.tokens.remove(id)
  }

  /** Ends all sessions of the caller's person but the caller's own. Resolves to their number. */
  async endOthers(caller: Caller): Promise<number> {
    const others = (await this.#listTokens(caller)).filter(({ id }) => id !== caller.holder)
    for (const { id } of others) await this.#context.store.tokens.remove(id)
    return others.length
  }

  async #listTokens({ account, person }: Caller): Promise<Token[]> {
    return await this.#context.store.tokens.listLogins(account.id, person?.id)
  }

  #toView({ id, login, expiresAt }: Token, holder: string, now: number): SessionView {
    const stored =
      login?.isSession === true ? getLastUse(login.at, expiresAt) : expiresAt - this.#tokenLifetime
    const lastUse = id === holder ? now : stored
    return {
      id,
      device: login?.device ?? 'Unknown device',
      address: login?.address ?? '',
      isSession: login?.isSession ?? true,
      ...(login && { startedAt: login.at }),
      ...(lastUse === undefined ? {} : { usedAt: Math.min(now, lastUse) }),
      isCurrent: id === holder,
    }
  }
}
