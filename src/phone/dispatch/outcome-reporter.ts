import type { MessageFields } from '../../contract/message-schema.js'
import { errorText, isTransient, type RelayError } from '../../errors.js'
import { runWithGrace } from '../../util/async/abort.js'
import { FailureBackoff } from '../../util/async/failure-backoff.js'
import type { FinishedAttempt } from '../journal/attempt-history.js'
import { BatchLimit } from '../relay/batch-limit.js'
import {
  classifyRelayError,
  explainRelayError,
  getRequestedWait,
  isRefusedReport,
} from '../relay/relay-error.js'
import type { StepResult } from '../relay/relay-steps.js'
import type { DispatchContext } from './dispatch-context.js'
import {
  countOutcome,
  type OutcomeCounts,
  type ReportResult,
  toPhoneEvent,
  toPhoneReport,
} from './report-result.js'

/** Milliseconds. */
const graceAfterForce = 5000
const maxWait = 50

interface PendingReport {
  readonly finished: FinishedAttempt
  /** Message as it was claimed; absent for an attempt of an earlier run of the phone. */
  readonly message?: MessageFields | undefined
  /** When the outcome was known, in `clock.monotonic` time. */
  readonly since: number
  isRetry: boolean
}

type ReporterContext = Pick<
  DispatchContext,
  'relay' | 'journal' | 'clock' | 'random' | 'relayBackoff' | 'emit' | 'force' | 'stop' | 'once'
>

export class OutcomeReporter {
  readonly counts: OutcomeCounts = { handled: 0, sent: 0, failed: 0, unknown: 0, unreported: 0 }
  readonly #context: ReporterContext
  readonly #refusals: FailureBackoff
  readonly #onChange: (error?: unknown) => void
  readonly #waiting = new Map<string, PendingReport>()
  readonly #ids = new Set<string>()
  readonly #limit = new BatchLimit()
  #force: AbortSignal
  #running: Promise<void> | undefined
  #cancelTimer: (() => void) | undefined
  #isPaused = false

  constructor(context: ReporterContext, onChange: (error?: unknown) => void) {
    this.#context = context
    this.#refusals = new FailureBackoff(context)
    this.#onChange = onChange
    this.#force = context.force
  }

  get pendingCount(): number {
    return this.#waiting.size
  }

  /** Whether the relay does not answer or refuses outcomes, so that no message is fetched. */
  get isPaused(): boolean {
    return this.#isPaused
  }

  get firstPending(): string | undefined {
    const [first] = this.#waiting.values()
    return first?.finished.id
  }

  /** Whether an outcome of this message is expected, or waits for the relay's answer. */
  has(id: string): boolean {
    return this.#ids.has(id)
  }

  /** Notes that the outcome of a message will be added as soon as it is on the disk. */
  expect(id: string): void {
    this.#ids.add(id)
  }

  /** Adds an outcome, which waits for others at most 50 ms. */
  add(finished: FinishedAttempt, message: MessageFields): void {
    this.#enqueue(finished, message)
    if (this.#waiting.size >= this.#limit.size) this.flush()
    else this.#cancelTimer ??= this.#context.clock.after(maxWait, () => this.flush())
  }

  flush(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    if (this.#waiting.size === 0) return
    this.#running ??= this.#run()
  }

  async finish(): Promise<void> {
    this.flush()
    await this.#running
  }

  async reportEarlier(earlier: readonly FinishedAttempt[]): Promise<void> {
    const { emit, stop, force } = this.#context
    if (stop.aborted) return
    this.#force = stop
    for (const finished of earlier) {
      emit({ event: 'resumed', id: finished.id, outcome: finished.outcome.result })
      this.#enqueue(finished)
    }
    await this.finish()
    this.#force = force
  }

  #enqueue(finished: FinishedAttempt, message?: MessageFields): void {
    const since = this.#context.clock.monotonic()
    this.#ids.add(finished.id)
    this.#waiting.set(finished.key, { finished, message, since, isRetry: false })
  }

  async #run(): Promise<void> {
    while (this.#waiting.size > 0) {
      const { size } = this.#limit
      const batch = [...this.#waiting.values()].slice(0, size)
      await this.#reportBatch(batch)
      // Outcomes that came meanwhile wait for others again.
      const isDone = batch.length < size && batch.every(each => !this.#isWaiting(each))
      if (isDone && this.#cancelTimer !== undefined) break
    }
    this.#running = undefined
    this.#onChange()
  }

  #isWaiting({ finished }: PendingReport): boolean {
    return this.#waiting.has(finished.key)
  }

  async #reportBatch(batch: readonly PendingReport[]): Promise<void> {
    const { relayBackoff, emit } = this.#context
    const isLast = this.#force.aborted
    try {
      const results = await this.#post(batch)
      const late = results.find(({ error }) => isTransient(error))?.error
      if (late === undefined && relayBackoff.recordSuccess()) emit({ event: 'online' })
      this.#limit.recordSuccess()
      await this.#settleBatch(batch, results)
      if (late !== undefined) throw late
    } catch (error) {
      if (isRefusedReport(error) && !isLast) await this.#handleRefusal(batch, error)
      else await this.#handleFailure(batch, error, isLast)
    }
  }

  /** After a report that was refused as a whole, smaller ones follow until the cause is found. */
  async #handleRefusal(batch: readonly PendingReport[], error: RelayError): Promise<void> {
    const [first] = batch
    if (first === undefined || this.#limit.narrow(batch.length)) return
    this.#settle(first, { report: 'refused', error })
    await this.#waitAfterRefusals(0, 1)
  }

  async #post(batch: readonly PendingReport[]): Promise<readonly StepResult[]> {
    const { relay, clock } = this.#context
    const outcomes = batch.map(({ finished }) => toPhoneReport(finished))
    return await runWithGrace(
      this.#force,
      graceAfterForce,
      clock.sleep,
      async signal => await relay.report(outcomes, { signal }),
    )
  }

  async #settleBatch(
    batch: readonly PendingReport[],
    results: readonly StepResult[],
  ): Promise<void> {
    let accepted = 0
    let refused = 0
    for (const [index, pending] of batch.entries()) {
      const { message, error } = results[index] ?? {}
      if (error === undefined) {
        accepted += 1
        this.#settle(pending, { report: 'accepted', message })
      } else if (!isTransient(error)) {
        refused += 1
        this.#settle(pending, { report: 'refused', error })
      }
    }
    await this.#waitAfterRefusals(accepted, refused)
  }

  async #handleFailure(
    batch: readonly PendingReport[],
    error: unknown,
    isLast: boolean,
  ): Promise<void> {
    const { relayBackoff, emit } = this.#context
    const left = batch.filter(each => this.#isWaiting(each))
    const isFatal = classifyRelayError(error) === 'fatal'
    if (isFatal || isLast) {
      const explained = explainRelayError(error)
      for (const each of left) this.#settle(each, { report: 'abandoned', error: explained })
      if (!this.#force.aborted) this.#onChange(explained)
      return
    }
    for (const each of left) each.isRetry = true
    const id = left[0]?.finished.id
    if (relayBackoff.recordFailure())
      emit({ event: 'offline', ...(id && { id }), error: errorText(error) })
    await this.#pause(async () => await relayBackoff.wait(this.#force, getRequestedWait(error)))
  }

  #settle(pending: PendingReport, result: ReportResult): void {
    const { emit, journal, clock } = this.#context
    const { finished, message, since, isRetry } = pending
    const { id, key, outcome } = finished
    this.#waiting.delete(key)
    this.#ids.delete(id)
    // The record need not be on the disk: without it the report is repeated with the same key.
    if (result.report !== 'abandoned') void journal.settle(finished)
    countOutcome(this.counts, outcome, result)
    if (result.report === 'accepted' && isRetry) {
      emit({ event: 'reported-late', id, delay: clock.monotonic() - since })
    }
    emit(toPhoneEvent(finished, result, message))
  }

  async #waitAfterRefusals(accepted: number, refused: number): Promise<void> {
    const { once, stop } = this.#context
    if (accepted > 0) this.#refusals.recordSuccess()
    if (accepted > 0 || refused === 0) return
    this.#refusals.recordFailure()
    if (!once) await this.#pause(async () => await this.#refusals.wait(stop))
  }

  async #pause(wait: () => Promise<void>): Promise<void> {
    this.#isPaused = true
    await wait()
    this.#isPaused = false
  }
}
