import type { Token } from '../../../domain/account/account.js'
import { getLastUse } from '../accounts/session-token.js'
import { toLoginOwner } from '../accounts/signer.js'
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
  readonly isCurrent: boolean
}

export interface SessionList {
  readonly sessions: readonly SessionView[]
  readonly total: number
}

export class SessionService {
  readonly #context: Pick<ServiceContext, 'store' | 'clock'>
  readonly #tokenLifetime: number

  constructor(context: Pick<ServiceContext, 'store' | 'clock'>, tokenLifetime: number) {
    this.#context = context
    this.#tokenLifetime = tokenLifetime
  }

  /**
   * Lists the sessions: that of the caller first, then others in the order of their last use. Of
   * more than `count`, it lists those that end last.
   */
  async list(caller: Caller, count: number): Promise<SessionList> {
    const now = this.#context.clock.now()
    const { account, person, holder } = caller
    const owner = toLoginOwner({ account, person })
    const { tokens, total } = await this.#context.store.tokens.listLatest(owner, {
      now,
      count,
    })
    const hasOwn = tokens.some(({ id }) => id === holder)
    const own = hasOwn ? undefined : await this.#context.store.tokens.get(holder)
    const shown = own === undefined ? tokens : [own, ...tokens.slice(0, count - 1)]
    const views = shown.map(token => this.#toView(token, holder, now))
    const getUse = ({ isCurrent, usedAt = now }: SessionView) => (isCurrent ? Infinity : usedAt)
    return { sessions: views.sort((a, b) => getUse(b) - getUse(a)), total }
  }

  /** Ends a session of the caller's person; one that has ended or is another's is ignored. */
  async end(caller: Caller, id: string): Promise<void> {
    const { tokens } = this.#context.store
    const token = await tokens.get(id)
    const isOwn = token?.account === caller.account.id && token.person === caller.person?.id
    if (isOwn && token.kind === 'login') await tokens.remove({ id })
  }

  async endOthers(caller: Caller): Promise<number> {
    const { account, person, holder } = caller
    const { tokens } = this.#context.store
    const logins = await tokens.list(toLoginOwner({ account, person }))
    const others = logins.filter(({ id }) => id !== holder)
    for (const { id } of others) await tokens.remove({ id })
    return others.length
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
