import { formatDateTime } from '../../../domain/time/date-time.js'
import type { Subscription } from '../../../domain/webhook/subscription.js'
import { InFlight } from '../../../util/async/in-flight.js'
import type { AutomaticMail, OutgoingMail } from '../automatic-mail.js'
import type { ServiceContext } from '../service-context.js'

/** Milliseconds in which the service collects pauses of an account for one mail. */
const collectTime = 5000
const firstRetry = 60_000
/** Milliseconds that the alert service waits at a stop for a mail in progress. */
const stopGrace = 3000

/**
 * Mails paused and resumed subscriptions to the `alerts` address of their account, from the node
 * that has the lease of the account. A subscription is `unreported` in the store until the mail is
 * accepted, so a restart loses none; after a crash a mail can be sent twice. An account gets at
 * most one mail in ten minutes, with all changes.
 */
export class PauseAlerts {
  readonly #context: ServiceContext
  readonly #mail: AutomaticMail
  readonly #onError: (error: unknown) => void
  readonly #timers = new Map<string, () => void>()
  readonly #inFlight = new InFlight()
  #isStopped = false
  #unwatch: (() => void)[] = []

  constructor(context: ServiceContext, mail: AutomaticMail, onError: (error: unknown) => void) {
    this.#context = context
    this.#mail = mail
    this.#onError = onError
  }

  /**
   * Mails the changes that the service has not reported yet, and follows later ones until {@link
   * stop}.
   */
  async start(): Promise<void> {
    const { store } = this.#context
    const scan = (): void => {
      this.#inFlight.track(this.#scan()).catch(this.#onError)
    }
    this.#unwatch = [
      store.watch(({ account, subscriptions, foreign }) => {
        if (subscriptions.length > 0 || foreign?.subscriptions === true) this.#schedule(account)
      }, scan),
      store.workerLeases.watch(scan),
    ]
    await this.#scan()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    for (const unwatch of this.#unwatch) unwatch()
    for (const cancel of this.#timers.values()) cancel()
    this.#timers.clear()
    let cancel = (): void => {}
    const timeout = new Promise<void>(resolve => {
      cancel = this.#context.clock.after(stopGrace, resolve)
    })
    await Promise.race([this.#inFlight.idle(), timeout])
    cancel()
  }

  async #scan(): Promise<void> {
    for (const { account, unreported = false } of await this.#context.store.subscriptions.list()) {
      if (unreported) this.#schedule(account)
    }
  }

  /** Mails the changes of an account later, if this node has its lease then. */
  #schedule(account: string, wait = collectTime): void {
    if (this.#isStopped || this.#timers.has(account)) return
    const cancel = this.#context.clock.after(wait, () => {
      this.#timers.delete(account)
      if (this.#context.store.workerLeases.find(account)?.canStart() !== true) return
      this.#inFlight.track(this.#report(account)).catch(error => {
        this.#onError(error)
        this.#schedule(account, firstRetry)
      })
    })
    this.#timers.set(account, cancel)
  }

  async #report(accountId: string): Promise<void> {
    const { store } = this.#context
    const all = await store.subscriptions.list(accountId)
    const changed = all.filter(({ unreported = false }) => unreported)
    const to = (await store.accounts.get(accountId))?.alerts
    if (changed.length === 0 || to === undefined) await this.#mail.clearError(accountId)
    else {
      const wait = await this.#mail.send(accountId, { to, ...formatAlert(changed) })
      if (wait !== undefined) return this.#schedule(accountId, wait)
    }
    for (const subscription of changed) await this.#markReported(subscription)
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
      : `Subscription ${id} to ${event} has been paused since ${formatDateTime(state.at)} UTC ` +
        `(${reasons[state.reason]}).`,
  )
  const next =
    paused.length === 0 ? [] : ['', 'New events wait. To deliver them: smsrelay hook resume ID']
  return { subject, text: [...lines, ...next, ''].join('\n') }
}

const reasons = {
  request: 'by request',
  gone: 'the receiver replied 410',
  exhausted: 'all retries of an event failed',
} as const
