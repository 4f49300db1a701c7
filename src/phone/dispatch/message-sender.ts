import type { MessageFields } from '../../contract/message-schema.js'
import { errorText } from '../../errors.js'
import type { DriverTrouble } from '../driver-port/attempt-outcome.js'
import type { PhoneResult } from '../events/phone-events.js'
import type { Attempt, FinishedAttempt } from '../journal/attempt-history.js'
import { attemptsExhausted, FailureAttribution } from './failure-attribution.js'
import { FetchedMessage } from './fetched-message.js'
import { OutcomeReporter } from './outcome-reporter.js'
import { releaseMessage } from './release-message.js'
import { attemptSend, isTestMessage } from './send-attempt.js'
import type { WorkerContext } from './worker-context.js'

/** Milliseconds, well below a lease. */
const leaseRenewalInterval = 30_000

const stale = { result: 'stale' } as const

/** The message in hand: attempts it, and has what became of it reported. */
export class MessageSender {
  readonly #context: WorkerContext
  readonly #reporter: OutcomeReporter
  readonly #blame: FailureAttribution
  #holds: string | undefined
  #troubled: string | undefined
  #trouble: string | undefined
  #takesNothingBack = false

  constructor(context: WorkerContext) {
    this.#context = context
    this.#reporter = new OutcomeReporter(context)
    this.#blame = new FailureAttribution(context)
  }

  /** Identifier of the message in hand. */
  get currentId(): string | undefined {
    return this.#holds
  }

  /** Whether a message that telephony had no way for is still leased to this loop. */
  get hasHeldMessage(): boolean {
    return this.#troubled !== undefined
  }

  /** What was done so far. */
  get result(): PhoneResult {
    return {
      ...this.#reporter.counts,
      ...(this.#trouble === undefined ? {} : { trouble: this.#trouble }),
    }
  }

  /** Does all that is to be done for a message; throws when the relay does not accept the keys any more. */
  async process(message: MessageFields): Promise<void> {
    this.#take(message)
    const { id } = message
    const fresh = new FetchedMessage(message, this.#context)
    const done = await this.#attempt(fresh)
    this.#context.reservation.finish(0)
    if (done === undefined) await this.#skip(id, fresh)
    else if (isTrouble(done)) await this.#keep(id, done)
    else await this.#reporter.report(done, { message: fresh.message })
    this.#holds = undefined
  }

  /**
   * Gives back a message that is leased to this loop and was surely not sent (@default the one it keeps), so that another
   * phone can take it at once; whether it is not this loop's any more. A relay that knows no such thing is asked once.
   */
  async release(reason: string, id = this.#troubled, tries = 1): Promise<boolean> {
    if (id === undefined || this.#takesNothingBack) return false
    const released = await releaseMessage(id, reason, this.#context, tries)
    this.#takesNothingBack = released === 'unknown'
    if (released !== 'done') return false
    this.#troubled = undefined
    this.#context.emit({ event: 'returned', id, reason })
    return true
  }

  /**
   * Gives back what crossed the stop; whether it is not to be sent. When no answer came another phone may have it, so it is
   * left to the end of its lease.
   */
  async releaseAtStop(id: string): Promise<boolean> {
    return (await this.release('the phone stops', id, 3)) || !this.#takesNothingBack
  }

  /** Leaves what is wrong with the line to those who watch it. */
  async releaseForDriver(): Promise<void> {
    const given = await this.release(this.#context.driverStatus.trouble ?? 'no way to send')
    if (given) this.#recovered()
  }

  /** Keeps a message for a while without sending it: the next NEXT renews its lease. */
  async keepLease(message: MessageFields): Promise<void> {
    const { pause, stop, reservation: turn } = this.#context
    this.#take(message)
    this.#troubled = message.id
    turn.finish(0)
    await pause(leaseRenewalInterval, stop)
    this.#holds = undefined
  }

  /**
   * Reports what an earlier run did not get to report; a stop ends it, for the outcomes stay in the journal. Throws
   * when the relay does not accept the keys any more.
   */
  async reportUnreported(): Promise<void> {
    const { emit, journal, stop } = this.#context
    for (const known of journal.unreported()) {
      if (stop.aborted) return
      const { id, outcome } = known
      this.#holds = id
      emit({ event: 'resumed', id, outcome: outcome.result })
      await this.#reporter.report(known, { force: stop })
      this.#holds = undefined
    }
  }

  #take({ id, destination }: MessageFields): void {
    this.#holds = id
    if (id === this.#troubled) return
    this.#troubled = undefined
    this.#context.emit({ event: 'took', id, destination })
  }

  /** Undefined when the message is not to be sent any more; one that was edited meanwhile is sent as it is then. */
  async #attempt(fresh: FetchedMessage): Promise<FinishedAttempt | DriverTrouble | undefined> {
    for (;;) {
      const tried = await this.#attemptOnce(fresh)
      if (tried !== 'stale') return tried
      if (!(await fresh.shouldSend())) return undefined
    }
  }

  async #attemptOnce(fresh: FetchedMessage): Promise<FinishedAttempt | DriverTrouble | 'stale'> {
    const { journal, driverStatus: line, createKey } = this.#context
    const { message } = fresh
    const mine = { id: message.id, key: createKey() }
    try {
      const known = await journal.begin(message, mine.key)
      if (known !== undefined) return known
    } catch (error) {
      return { result: 'trouble', error: errorText(error) }
    }
    const isWanted = (await fresh.shouldSend()) && fresh.message === message
    const outcome = isWanted ? await attemptSend(fresh, this.#context) : stale
    if (outcome.result === 'stale') {
      await journal.cancel(mine)
      return 'stale'
    }
    if (outcome.result === 'trouble') {
      await journal.cancel(mine)
      return await this.#judge(mine, outcome)
    }
    await journal.record(mine, outcome)
    if (!isTestMessage(message)) {
      line.recordSuccess()
      this.#recovered()
    }
    return { ...mine, outcome }
  }

  /** One message that only ever has trouble does not keep the others from being sent. */
  async #judge(mine: Attempt, trouble: DriverTrouble): Promise<FinishedAttempt | DriverTrouble> {
    // A driver that says how long to wait knows that it is the network's doing.
    if (this.#context.stop.aborted || (trouble.wait ?? 0) > 0) return trouble
    const verdict = await this.#blame.attribute(mine.id)
    if (verdict === 'telephony') return trouble
    if (verdict === 'message') this.#recovered()
    this.#troubled = undefined
    return { ...mine, outcome: attemptsExhausted(trouble.error) }
  }

  async #skip(id: string, { status }: FetchedMessage): Promise<void> {
    this.#troubled = undefined
    // A number that was listed while this phone had its message: the relay blocks what nobody has in hand.
    if (status === 'B') await releaseMessage(id, 'not to be sent any more', this.#context)
    this.#context.emit({ event: 'skipped', id, ...(status === undefined ? {} : { status }) })
  }

  /** The message stays leased to this token, so the next NEXT gives it again. */
  async #keep(id: string, { error, wait }: DriverTrouble): Promise<void> {
    const { emit, driverBackoff: gateway, once, presence, stop } = this.#context
    this.#troubled = id
    this.#trouble = error
    if (gateway.recordFailure()) emit({ event: 'trouble', id, error })
    if (!once) await presence.trackWait(async () => await gateway.wait(stop, wait))
  }

  #recovered(): void {
    const { emit, driverBackoff: gateway } = this.#context
    this.#troubled = undefined
    this.#trouble = undefined
    if (gateway.recordSuccess()) emit({ event: 'recovered' })
  }
}

function isTrouble(done: FinishedAttempt | DriverTrouble): done is DriverTrouble {
  return 'result' in done
}
