import { getAvailableTime, isWaiting, type Message } from '../../../domain/message/message.js'
import { reportFailure, reportSuccess } from '../../../domain/message/report.js'
import { getTestOutcome, type TestOutcome } from '../../../domain/sms/phone-number.js'
import { countSmsParts } from '../../../domain/sms/sms-parts.js'
import type { StoreChange } from '../../store/store.js'
import type { ServiceContext } from '../service-context.js'

const pageSize = 100
const maxTimer = 60 * 60 * 1000
const pauseAfterError = 1000
const holder = 'sandbox'

/** Settles messages to test numbers when they are due, so that no phone has to run (SPEC.md section 1). */
export class Sandbox {
  readonly #context: ServiceContext
  readonly #timers = new Map<string, NodeJS.Timeout>()
  #unwatch = (): void => {}
  #stopped = false

  constructor(context: ServiceContext) {
    this.#context = context
  }

  /** Begins, with the messages that wait already. */
  async start(): Promise<void> {
    this.#unwatch = this.#context.store.watch(notice => this.#follow(notice))
    for (const account of await this.#context.store.accounts.list()) await this.#scan(account.id)
  }

  /** Leaves everything as it is. */
  stop(): void {
    this.#stopped = true
    this.#unwatch()
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }

  async #scan(account: string): Promise<void> {
    const page = { account, statuses: ['N', 'E'], count: pageSize, order: 'asc' } as const
    const waiting: Message[] = []
    // Settled only when all are read: a message that leaves the list would move the pages behind it.
    for (let start = 0; start === waiting.length; start += pageSize) {
      waiting.push(...(await this.#context.store.messages.list({ ...page, start })))
    }
    for (const message of waiting) this.#schedule(message)
  }

  #follow(notice: StoreChange): void {
    for (const id of notice.messages) {
      this.#context.store.messages.get(id).then(
        message => message && this.#schedule(message),
        () => {},
      )
    }
  }

  #schedule(message: Message, least = 0): void {
    if (this.#stopped) return
    clearTimeout(this.#timers.get(message.id))
    this.#timers.delete(message.id)
    const outcome = getTestOutcome(message.number)
    if (outcome === undefined || !isWaiting(message)) return
    const wait = Math.max(least, getAvailableTime(message) - this.#context.now())
    const step = (): void => {
      this.#settle(message.id, outcome).catch(() => this.#schedule(message, pauseAfterError))
    }
    this.#timers.set(message.id, setTimeout(step, Math.min(wait, maxTimer)))
  }

  async #settle(id: string, outcome: TestOutcome): Promise<void> {
    const now = this.#context.now()
    const by = { holder, now }
    const settled = await this.#context.store.messages.change(id, message => {
      if (message === undefined || !isWaiting(message) || getAvailableTime(message) > now) return {}
      if (outcome === 'success') return reportSuccess(message, countSmsParts(message.text), by)
      const failure = { error: 'This test number always fails.', outcome: 'failed' } as const
      return reportFailure(message, failure, by, 'at-least-once')
    })
    if (settled !== undefined) this.#schedule(settled)
  }
}
