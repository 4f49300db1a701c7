import { formatDateTime } from '../../../domain/time/date-time.js'
import type { Subscription } from '../../../domain/webhook/subscription.js'
import { errorText } from '../../../errors.js'
import { InFlight } from '../../../util/async/in-flight.js'
import type { ServiceContext } from '../service-context.js'

export interface OutgoingMail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Milliseconds in which the service collects pauses of an account for one mail. */
const collectTime = 5000
/** Milliseconds that the service waits between two mails to an account at least. */
const interval = 10 * 60_000
const firstRetry = 60_000
const maxRetry = 60 * 60_000
/** Milliseconds that the alert service waits at a stop for a mail in progress. */
const stopGrace = 3000
const code = 'alert_mail_failed'

/**
 * Mails paused and resumed subscriptions to the `alerts` address of their account. A subscription
 * is `unreported` in the store until the mail is accepted, so a restart loses none; after a crash a
 * mail can be sent twice. An account gets at most one mail in ten minutes, with all changes.
 */
export class PauseAlerts {
  readonly #context: ServiceContext
  readonly #send: (mail: OutgoingMail) => Promise<void>
  readonly #onError: (error: unknown) => void
  readonly #timers = new Map<string, () => void>()
  /** When the service may send an account's next alert mail. */
  readonly #nextAt = new Map<string, number>()
  readonly #retries = new Map<string, number>()
  readonly #inFlight = new InFlight()
  #unwatch = (): void => {}

  constructor(
    context: ServiceContext,
    send: (mail: OutgoingMail) => Promise<void>,
    onError: (error: unknown) => void,
  ) {
    this.#context = context
    this.#send = send
    this.#onError = onError
  }

  /**
   * Mails the changes that the service has not reported yet, and follows later ones until {@link
   * stop}.
   */
  async start(): Promise<void> {
    const { store } = this.#context
    this.#unwatch = store.watch(({ account, subscriptions }) => {
      if (subscriptions.length > 0) this.#schedule(account)
    })
    for (const { account, unreported = false } of await store.subscriptions.list()) {
      if (unreported) this.#schedule(account)
    }
  }

  async stop(): Promise<void> {
    this.#unwatch()
    for (const cancel of this.#timers.values()) cancel()
    this.#timers.clear()
    let cancel = (): void => {}
    const timeout = new Promise<void>(resolve => {
      cancel = this.#context.clock.after(stopGrace, resolve)
    })
    await Promise.race([this.#inFlight.idle(), timeout])
    cancel()
  }

  #schedule(account: string): void {
    if (this.#timers.has(account)) return
    const { clock } = this.#context
    const wait = Math.max((this.#nextAt.get(account) ?? 0) - clock.now(), collectTime)
    const cancel = clock.after(wait, () => {
      this.#timers.delete(account)
      this.#inFlight.track(this.#report(account)).catch(this.#onError)
    })
    this.#timers.set(account, cancel)
  }

  async #report(accountId: string): Promise<void> {
    const { store, clock, problems, metrics } = this.#context
    const all = await store.subscriptions.list(accountId)
    const changed = all.filter(({ unreported = false }) => unreported)
    const to = (await store.accounts.get(accountId))?.alerts
    if (changed.length === 0) return
    try {
      if (to !== undefined) await this.#send({ to, ...formatAlert(changed) })
    } catch (error) {
      metrics.increment('alert_mails_total{result="failed"}')
      problems.set({ code, account: accountId, ...describeFailure(error) })
      this.#retryLater(accountId)
      return
    }
    if (to !== undefined) metrics.increment('alert_mails_total{result="sent"}')
    this.#retries.delete(accountId)
    this.#nextAt.set(accountId, clock.now() + interval)
    problems.clear(code, accountId)
    for (const subscription of changed) await this.#markReported(subscription)
  }

  #retryLater(account: string): void {
    const delay = this.#retries.get(account) ?? firstRetry
    this.#retries.set(account, Math.min(delay * 2, maxRetry))
    this.#nextAt.set(account, this.#context.clock.now() + delay)
    this.#schedule(account)
  }

  /**
   * The service leaves a subscription unreported that was paused or resumed since the mail was
   * written.
   */
  async #markReported({ id, paused }: Subscription): Promise<void> {
    await this.#context.store.subscriptions.change(id, current => {
      const { unreported: _, ...rest } = current
      return current.paused?.at === paused?.at ? rest : current
    })
  }
}

function formatAlert(changed: readonly Subscription[]): Pick<OutgoingMail, 'subject' | 'text'> {
  const paused = changed.filter(each => each.paused !== undefined)
  const subject =
    paused.length === 0
      ? 'smsrelay: webhooks are delivered again'
      : `smsrelay: ${paused.length === 1 ? 'a subscription is' : 'subscriptions are'} paused`
  const lines = changed.map(({ id, event, paused: state }) =>
    state === undefined
      ? `Subscription ${id} to ${event} is resumed.`
      : `Subscription ${id} to ${event} is paused since ${formatDateTime(state.at)} UTC ` +
        `(${reasons[state.reason]}).`,
  )
  const next =
    paused.length === 0 ? [] : ['', 'Its events wait. To continue: smsrelay hook resume ID']
  return { subject, text: [...lines, ...next, ''].join('\n') }
}

const reasons = {
  request: 'by request',
  gone: 'the receiver replied 410',
  exhausted: 'all retries of an event failed',
} as const

function describeFailure(error: unknown): { readonly message: string; readonly hint: string } {
  return {
    message: `An alert could not be sent by e-mail: ${errorText(error)}.`,
    hint: 'Check serve --mail-relay and the address of the alerts; the relay tries again.',
  }
}
