// The dispatcher of a phone: claims messages in batches, sends them and reports the outcomes.
//
// 1. `run` reports the outcomes that an earlier run left in the journal. Then it fills the window:
//    message-fetcher.ts waits for quiet hours, driver and rate limit, and claims a batch (NEXT).
// 2. message-queue.ts has one queue for each number. As many messages as the window allows are in
//    flight. message-sender.ts journals the start, has the driver send (send-attempt.ts) and
//    journals the outcome. outcome-reporter.ts reports outcomes in batches.
// 3. After driver trouble, trouble-pause.ts waits and failure-attribution.ts looks for the cause.
//    If it may be the number, messages to it are given back for a while.
// 4. lease-keeper.ts renews leases. queue-releaser.ts releases what cannot be sent soon.
// 5. After a stop, queued messages are released, and those in flight are finished and reported.
//
// run-dispatcher.ts makes these objects; held-message.ts is one message on its way.

import { limits } from '../../domain/limits.js'
import type { DriverTrouble } from '../driver-port/attempt-outcome.js'
import { DriverCalls } from '../driver-state/driver-calls.js'
import type { PhoneResult } from '../events/phone-events.js'
import type { FinishedAttempt } from '../journal/attempt-history.js'
import type { DispatchContext } from './dispatch-context.js'
import { HeldMessage } from './held-message.js'
import { LeaseKeeper } from './lease-keeper.js'
import { type FetchedMessage, MessageFetcher } from './message-fetcher.js'
import { MessageQueue } from './message-queue.js'
import { MessageReleaser } from './message-releaser.js'
import { MessageSender } from './message-sender.js'
import { OutcomeReporter } from './outcome-reporter.js'
import { QueueReleaser } from './queue-releaser.js'
import { TroublePause } from './trouble-pause.js'

class Condition {
  #waiting: (() => void)[] = []

  notify(): void {
    for (const check of this.#waiting.splice(0)) check()
  }

  async waitUntil(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) await new Promise<void>(resolve => this.#waiting.push(resolve))
  }
}

export class Dispatcher implements Disposable {
  readonly #context: DispatchContext
  readonly #queue = new MessageQueue()
  readonly #calls: DriverCalls
  readonly #leases: LeaseKeeper
  readonly #releaser: MessageReleaser
  readonly #queueReleaser: QueueReleaser
  readonly #sender: MessageSender
  readonly #reporter: OutcomeReporter
  readonly #fetcher: MessageFetcher
  readonly #pause: TroublePause
  readonly #change = new Condition()
  readonly #onFailure: () => void
  #failure: { readonly error: unknown } | undefined
  #sending = 0
  #isIdle = false
  #hasEnded = false
  #quietEnd: Promise<void> | undefined

  constructor(context: DispatchContext, onFailure: () => void) {
    this.#context = context
    this.#onFailure = onFailure
    this.#calls = new DriverCalls(context)
    this.#leases = new LeaseKeeper(context, this.#queue)
    this.#releaser = new MessageReleaser(context)
    this.#pause = new TroublePause(context)
    const [queue, pause, releaser] = [this.#queue, this.#pause, this.#releaser]
    this.#fetcher = new MessageFetcher(context, id => queue.get(id) !== undefined)
    const [fetcher, onChange] = [this.#fetcher, this.handleChange]
    this.#queueReleaser = new QueueReleaser({ context, queue, releaser, pause, fetcher, onChange })
    this.#sender = new MessageSender(context, this.#calls, this.#leases, () => pause.end())
    this.#reporter = new OutcomeReporter(context, error => {
      if (error !== undefined) this.#fail(error)
      this.handleChange()
    })
  }

  get currentId(): string | undefined {
    return this.#queue.firstStarted ?? this.#reporter.firstPending
  }

  get result(): PhoneResult {
    const { trouble } = this.#pause
    return { ...this.#reporter.counts, ...(trouble && { trouble }) }
  }

  /** Runs until stopped, or with `once` for one message. Throws if the relay rejects the keys. */
  async run(): Promise<void> {
    await this.#reporter.reportEarlier(this.#context.journal.unreported())
    try {
      await this.#fillWindow()
    } catch (error) {
      this.#fail(error)
    }
    await this.#drain()
    if (this.#failure !== undefined && !this.#context.force.aborted) throw this.#failure.error
  }

  /** Starts the messages that may be sent now, and wakes all who wait for a change. */
  readonly handleChange = (): void => {
    this.#queueReleaser.releaseUnsendable()
    this.#startReady()
    if (this.#sending === 0 && !this.#fetcher.isClaiming) this.#reporter.flush()
    this.#emitIdle()
    this.#leases.watch()
    this.#change.notify()
  }

  async #fillWindow(): Promise<void> {
    const { once, stop } = this.#context
    while (!stop.aborted) {
      await this.#change.waitUntil(() => stop.aborted || this.#countRoom() > 0)
      if (stop.aborted) return
      this.#accept(await this.#fetcher.fetch(this.#countRoom()))
      if (!once) continue
      await this.#change.waitUntil(() => this.#sending === 0)
      return
    }
  }

  /** Messages that the phone may claim now; 0 until a batch is worth a request. */
  #countRoom(): number {
    const { window, once } = this.#context
    const { size } = this.#queue
    if (this.#reporter.isPaused || this.#pause.isPaused) return 0
    if (once || this.#pause.trouble !== undefined) {
      return size === 0 && this.#sending === 0 ? 1 : 0
    }
    const room = 2 * window - size
    return room >= window / 2 ? Math.min(room, limits.messageBatch) : 0
  }

  #accept(fetched: readonly FetchedMessage[]): void {
    const { clock, emit, stop } = this.#context
    for (const { message, reservation } of fetched) {
      const known = this.#queue.get(message.id)
      known?.regain(message)
      if (known !== undefined || this.#reporter.has(message.id)) {
        reservation?.finish(0)
        continue
      }
      if (!stop.aborted) emit({ event: 'took', id: message.id, destination: message.destination })
      this.#isIdle = false
      this.#queue.add(new HeldMessage(message, clock, reservation))
    }
    this.handleChange()
  }

  #startReady(): void {
    const { window, driverStatus, quietHours } = this.#context
    if (this.#hasEnded || !this.#queue.isReady()) return
    if (quietHours.isQuiet()) {
      this.#startAfterQuietHours()
      return
    }
    if (driverStatus.isDown || this.#pause.isPaused || this.#queueReleaser.isBusy) return
    this.#start(this.#pause.trouble === undefined ? window : 1)
  }

  #start(limit: number): void {
    while (this.#queue.startedCount < limit) {
      const held = this.#queue.startNext()
      if (held === undefined) return
      this.#send(held).catch(error => this.#fail(error))
    }
  }

  async #send(held: HeldMessage): Promise<void> {
    this.#sending += 1
    try {
      const busy = this.#queueReleaser.findBusy(held.number)
      if (busy !== undefined) {
        await this.#giveBack(held, busy)
        return
      }
      const result = await this.#sender.send(held, () => {
        this.#reporter.expect(held.id)
        this.#queue.remove(held)
        this.handleChange()
      })
      held.reservation?.finish(0)
      if (result.end === 'skipped') await this.#skip(held)
      else if (result.end === 'finished') this.#report(held, result.finished)
      else if (result.end === 'trouble') this.#hold(held, result.trouble)
      else if (result.end === 'busy') await this.#giveBack(held, result.trouble)
      else this.#queue.putBack(held)
    } finally {
      this.#sending -= 1
      this.handleChange()
    }
  }

  #report(held: HeldMessage, finished: FinishedAttempt): void {
    this.#queue.remove(held)
    this.#reporter.add(finished, held.message)
  }

  async #skip(held: HeldMessage): Promise<void> {
    const { id, status, isHeldBack, isRetry } = held
    const { emit } = this.#context
    // The relay blocks only released messages, and must know that the phone did not send a locked
    // or postponed one.
    const reason = 'it must not be sent now'
    const released = isHeldBack ? await this.#releaser.release([id], reason) : undefined
    this.#queue.remove(held)
    if (isRetry && released?.has(id) === true) emit({ event: 'returned', id, reason })
    else emit({ event: 'skipped', id, ...(status && { status }) })
  }

  /** Holds a message after driver trouble, to try it again after a pause. */
  #hold(held: HeldMessage, trouble: DriverTrouble): void {
    held.isRetry = true
    this.#queue.putBack(held)
    void this.#pause.wait(held.id, trouble).then(() => {
      this.#queue.makeReady(held)
      this.handleChange()
    })
  }

  /** Gives back what is for a number that may take no texts for now, so that others are tried. */
  async #giveBack(held: HeldMessage, trouble: DriverTrouble): Promise<void> {
    this.#queue.putBack(held)
    if (!(await this.#queueReleaser.releaseNumber(held, trouble))) this.#hold(held, trouble)
  }

  #startAfterQuietHours(): void {
    this.#quietEnd ??= this.#context.quietHours.waitForEnd().then(() => {
      this.#quietEnd = undefined
      this.handleChange()
    })
  }

  #emitIdle(): void {
    const { stop, emit } = this.#context
    const isBusy = this.#queue.size + this.#sending + this.#reporter.pendingCount > 0
    if (this.#isIdle || isBusy || !this.#fetcher.isEmpty || stop.aborted) return
    this.#isIdle = true
    emit({ event: 'idle' })
  }

  async #drain(): Promise<void> {
    const { window } = this.#context
    this.#hasEnded = true
    const last = await this.#fetcher.fetchLast(2 * window)
    this.#accept(last.map(message => ({ message })))
    await this.#queueReleaser.finish()
    await this.#queueReleaser.releaseAtStop()
    await this.#change.waitUntil(() => this.#sending === 0)
    await this.#queueReleaser.releaseAtStop()
    await this.#reporter.finish()
    this.#leases.stop()
  }

  #fail(error: unknown): void {
    this.#failure ??= { error }
    this.#onFailure()
  }

  [Symbol.dispose](): void {
    this.#calls[Symbol.dispose]()
    this.#leases.stop()
  }
}
