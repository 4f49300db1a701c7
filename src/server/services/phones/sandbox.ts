import {
  getAvailableTime,
  isWaiting,
  type Message,
  retryStep,
} from '../../../domain/message/message.js'
import { reportFailure, reportSuccess } from '../../../domain/message/report.js'
import { getTestOutcome, type TestOutcome } from '../../../domain/sms/phone-number.js'
import { countSmsParts } from '../../../domain/sms/sms-parts.js'
import type { StoreChange } from '../../store/store.js'
import type { ServiceContext } from '../service-context.js'

const pageSize = 100
const maxTimer = 60 * 60 * 1000
const delayAfterError = 1000
/** Milliseconds after which the sandbox fails a message again, in place of 15 minutes and more. */
const retryDelay = 500
/** Milliseconds in which the sandbox collects accounts with changes of other nodes. */
const collectTime = 5000
const holder = 'sandbox'

/**
 * Reports on messages to test numbers when they are due, so that no phone has to run
 * (docs/reference/interface.md 1). Each node follows the messages that it changed, and the one with
 * the lease of an account those of other nodes as well: a node may die before its message is due.
 * Several may report on a message, but only the first report finds it due.
 */
export class Sandbox {
  readonly #context: ServiceContext
  readonly #timers = new Map<string, () => void>()
  /** Accounts in which other nodes changed messages. */
  readonly #dueAccounts = new Set<string>()
  #isEveryAccountDue = false
  #cancelScan: (() => void) | undefined
  #unwatch = (): void => {}
  #stopped = false

  constructor(context: ServiceContext) {
    this.#context = context
  }

  async start(): Promise<void> {
    const { store } = this.#context
    const scanAll = (): void => {
      this.#isEveryAccountDue = true
      this.#planScan()
    }
    const unwatch = store.watch(change => this.#handleChange(change), scanAll)
    const unwatchLeases = store.workerLeases.watch(scanAll)
    this.#unwatch = () => {
      unwatch()
      unwatchLeases()
    }
    for (const { id } of await store.accounts.list()) {
      if (this.#hasLease(id)) await this.#scan(id)
    }
  }

  stop(): void {
    this.#stopped = true
    this.#unwatch()
    this.#cancelScan?.()
    for (const cancel of this.#timers.values()) cancel()
    this.#timers.clear()
  }

  #planScan(): void {
    if (this.#stopped || this.#cancelScan !== undefined) return
    this.#cancelScan = this.#context.clock.after(collectTime, () => {
      this.#cancelScan = undefined
      this.#scanDue().catch(() => this.#planScan())
    })
  }

  async #scanDue(): Promise<void> {
    if (this.#isEveryAccountDue) {
      for (const { id } of await this.#context.store.accounts.list()) this.#dueAccounts.add(id)
      this.#isEveryAccountDue = false
    }
    for (const account of this.#dueAccounts) {
      if (this.#hasLease(account)) await this.#scan(account)
      this.#dueAccounts.delete(account)
    }
  }

  #hasLease(account: string): boolean {
    return this.#context.store.workerLeases.find(account) !== undefined
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
    if (change.foreign?.messages === true && this.#hasLease(change.account)) {
      this.#dueAccounts.add(change.account)
      this.#planScan()
    }
    for (const message of change.records ?? []) this.#schedule(message)
    if (change.records !== undefined) return
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
    const wait = Math.max(minWait, getReportTime(message) - clock.now())
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
      if (message === undefined || !isWaiting(message) || getReportTime(message) > now) return {}
      if (outcome === 'success') return reportSuccess(message, countSmsParts(message.text), by)
      const failure = { error: 'This test number always fails.', outcome: 'failed' } as const
      return reportFailure(message, failure, by, 'at-least-once')
    })
    if (reported !== undefined) this.#schedule(reported)
  }
}

/** When the sandbox reports a message; it shortens the delay after a failure. */
function getReportTime(message: Message): number {
  if (message.retryAt === undefined) return getAvailableTime(message)
  const failedAt = message.retryAt - message.failures * retryStep
  return Math.max(message.sendAt, message.lease?.until ?? 0, failedAt + retryDelay)
}
