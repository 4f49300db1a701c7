import { errorText } from '../../errors.js'
import type { AlertMailState } from '../store/limit-store.js'
import type { ServiceContext } from './service-context.js'

export interface OutgoingMail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Milliseconds that the service waits between two mails of a kind to an account at least. */
const interval = 10 * 60_000
const firstRetry = 60_000
const maxRetry = 60 * 60_000
/** Milliseconds for which the service's problem of a failed mail is known at least. */
const failureRetention = 24 * 60 * 60_000

/**
 * Mails that nobody asked for at this time. All nodes together send an account at most one of a
 * kind in ten minutes.
 */
export class AutomaticMail {
  readonly #context: Pick<ServiceContext, 'store' | 'clock' | 'metrics'>
  readonly #send: (mail: OutgoingMail) => Promise<void>
  readonly #kind: 'alert mail' | 'received mail'

  constructor(
    context: Pick<ServiceContext, 'store' | 'clock' | 'metrics'>,
    send: (mail: OutgoingMail) => Promise<void>,
    kind: 'alert mail' | 'received mail',
  ) {
    this.#context = context
    this.#send = send
    this.#kind = kind
  }

  /** Sends a mail; resolves to undefined, or to the milliseconds before the next try. */
  async send(account: string, mail: OutgoingMail): Promise<number | undefined> {
    const { clock, metrics } = this.#context
    const now = clock.now()
    // Reserves the time of an attempt, so that no two mails with the same content are on their way.
    const { before } = await this.#changeState(account, firstRetry, state =>
      state !== undefined && state.nextAt > now ? state : { ...state, nextAt: now + firstRetry },
    )
    if (before !== undefined && before.nextAt > now) return before.nextAt - now
    try {
      await this.#send(mail)
    } catch (error) {
      metrics.increment('alert_mails_total{result="failed"}')
      const delay = Math.min(2 * (before?.delay ?? firstRetry / 2), maxRetry)
      const failed = { nextAt: clock.now() + delay, delay, error: errorText(error) }
      await this.#changeState(account, delay + failureRetention, () => failed)
      return delay
    }
    metrics.increment('alert_mails_total{result="sent"}')
    await this.#changeState(account, interval, () => ({ nextAt: clock.now() + interval }))
    return undefined
  }

  async clearError(account: string): Promise<void> {
    await this.#changeState(account, interval, state =>
      state?.error === undefined ? (state ?? null) : { nextAt: state.nextAt },
    )
  }

  async #changeState(
    account: string,
    retention: number,
    decide: (state: AlertMailState | undefined) => AlertMailState | null,
  ) {
    const { store, clock } = this.#context
    return await store.limits.change(this.#kind, account, clock.now() + retention, decide)
  }
}
