import { getAvailableTime, isWaiting, type Message } from '../../../domain/message/message.js'
import { reportFailure, reportSuccess } from '../../../domain/message/report.js'
import { getTestOutcome, type TestOutcome } from '../../../domain/sms/phone-number.js'
import { countSmsParts } from '../../../domain/sms/sms-parts.js'
import type { StoreChange } from '../../store/store.js'
import type { ServiceContext } from '../service-context.js'

const pageSize = 100
const maxTimer = 60 * 60 * 1000
const delayAfterError = 1000
const holder = 'sandbox'

/**
 * Reports on messages to test numbers when they are due, so that no phone has to run
 * (docs/reference/interface.md 1).
 */
export class Sandbox {
  readonly #context: ServiceContext
  readonly #timers = new Map<string, () => void>()
  #unwatch = (): void => {}
  #stopped = false

  constructor(context: ServiceContext) {
    this.#context = context
  }

  /** Starts the sandbox service with the messages to test numbers that are waiting already. */
  async start(): Promise<void> {
    const { store } = this.#context
    this.#unwatch = store.watch(change => this.#handleChange(change))
    for (const account of await store.accounts.list()) await this.#scan(account.id)
  }

  stop(): void {
    this.#stopped = true
    this.#unwatch()
    for (const cancel of this.#timers.values()) cancel()
    this.#timers.clear()
  }

  async #scan(account: string): Promise<void> {
    const page = { account, statuses: ['N', 'E'], count: pageSize, order: 'asc' } as const
    const waiting: Message[] = []
    // The sandbox reads all pages of waiting messages first: a message that leaves the list shifts
    // the pages behind it.
    for (let start = 0; start === waiting.length; start += pageSize) {
      waiting.push(...(await this.#context.store.messages.list({ ...page, start })))
    }
    for (const message of waiting) this.#schedule(message)
  }

  #handleChange(change: StoreChange): void {
    for (const id of change.messages) {
      this.#context.store.messages.get(change.account, id).then(
        message => message && this.#schedule(message),
        () => {},
      )
    }
  }

  #schedule(message: Message, minWait = 0): void {
    if (this.#stopped) return
    this.#timers.get(message.id)?.()
    this.#timers.delete(message.id)
    const outcome = getTestOutcome(message.number)
    if (outcome === undefined || !isWaiting(message)) return
    const { clock } = this.#context
    const wait = Math.max(minWait, getAvailableTime(message) - clock.now())
    const run = (): void => {
      this.#timers.delete(message.id)
      this.#report(message, outcome).catch(() => this.#schedule(message, delayAfterError))
    }
    this.#timers.set(message.id, clock.after(Math.min(wait, maxTimer), run))
  }

  async #report({ account, id }: Message, outcome: TestOutcome): Promise<void> {
    const now = this.#context.clock.now()
    const by = { holder, now }
    const reported = await this.#context.store.messages.change(account, id, message => {
      if (message === undefined || !isWaiting(message) || getAvailableTime(message) > now) return {}
      if (outcome === 'success') return reportSuccess(message, countSmsParts(message.text), by)
      const failure = { error: 'This test number always fails.', outcome: 'failed' } as const
      return reportFailure(message, failure, by, 'at-least-once')
    })
    if (reported !== undefined) this.#schedule(reported)
  }
}
