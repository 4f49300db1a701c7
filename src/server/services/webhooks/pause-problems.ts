import type { Subscription } from '../../../domain/webhook/subscription.js'
import type { ServiceContext } from '../service-context.js'

const code = 'subscription_paused'

/** Lists an account's paused subscriptions as a problem until all are resumed or removed. */
export class PauseProblems {
  readonly #context: Pick<ServiceContext, 'store' | 'problems'>
  readonly #onError: (error: unknown) => void
  /** Paused subscriptions that the service shows as problems, by account, then by subscription. */
  readonly #paused = new Map<string, Map<string, Subscription>>()
  #unwatch = (): void => {}

  constructor(
    context: Pick<ServiceContext, 'store' | 'problems'>,
    onError: (error: unknown) => void,
  ) {
    this.#context = context
    this.#onError = onError
  }

  /** Reads which subscriptions are paused, and follows their changes until {@link stop}. */
  async start(): Promise<void> {
    const { store } = this.#context
    this.#unwatch = store.watch(({ account, subscriptions }) => {
      for (const id of subscriptions) this.#refresh(account, id).catch(this.#onError)
    })
    for (const subscription of await store.subscriptions.list()) {
      if (subscription.paused !== undefined) this.#add(subscription)
    }
    for (const account of this.#paused.keys()) this.#report(account)
  }

  stop(): void {
    this.#unwatch()
  }

  async #refresh(account: string, id: string): Promise<void> {
    const subscription = await this.#context.store.subscriptions.get(id)
    if (subscription?.paused !== undefined) this.#add(subscription)
    else if (this.#paused.get(account)?.delete(id) !== true) return
    this.#report(account)
  }

  #add(subscription: Subscription): void {
    const { account, id } = subscription
    const paused = this.#paused.get(account) ?? new Map<string, Subscription>()
    this.#paused.set(account, paused.set(id, subscription))
  }

  #report(account: string): void {
    const { problems } = this.#context
    const paused = [...(this.#paused.get(account)?.values() ?? [])]
    const [first] = paused
    if (first === undefined) {
      this.#paused.delete(account)
      problems.clear(code, account)
      return
    }
    problems.set({ code, account, message: describe(first, paused.length), hint })
  }
}

const hint = 'Check the receiver, then run `smsrelay hook resume ID` or resume it in the dashboard.'

const reasons = {
  request: 'by request',
  gone: 'because its receiver replied 410',
  exhausted: 'because all retries of an event failed',
} as const

function describe({ id, event, paused }: Subscription, count: number): string {
  const others = count === 1 ? '' : ` ${count} subscriptions are paused in all.`
  const reason = reasons[paused?.reason ?? 'request']
  return `Subscription ${id} to ${event} is paused ${reason}.${others}`
}
