import type { MessageFields } from '../../contract/message-schema.js'
import type { Trouble } from '../driver-port/attempt-outcome.js'
import type { PhoneResult } from '../events/phone-events.js'
import type { Attempt, Known } from '../journal/attempt-history.js'
import { sentence } from '../relay/relay-error.js'
import { Blame, givenUp } from './failure-attribution.js'
import { Freshness } from './fetched-message.js'
import { Reporter } from './outcome-reporter.js'
import { release } from './release-message.js'
import { attempt, isTest } from './send-attempt.js'
import type { PhoneContext } from './worker-context.js'

/** Milliseconds, well below a lease. */
const holdsFor = 30_000

const stale = { result: 'stale' } as const

/** The message in hand: attempts it, and has what became of it reported. */
export class Hand {
  readonly #context: PhoneContext
  readonly #reporter: Reporter
  readonly #blame: Blame
  #holds: string | undefined
  #troubled: string | undefined
  #trouble: string | undefined
  #takesNothingBack = false

  constructor(context: PhoneContext) {
    this.#context = context
    this.#reporter = new Reporter(context)
    this.#blame = new Blame(context)
  }

  /** Identifier of the message in hand. */
  get holds(): string | undefined {
    return this.#holds
  }

  /** Whether a message that telephony had no way for is still leased to this loop. */
  get keeps(): boolean {
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
  async settle(message: MessageFields): Promise<void> {
    this.#take(message)
    const { id } = message
    const fresh = new Freshness(message, this.#context)
    const done = await this.#attempt(fresh)
    this.#context.turn.end(0)
    if (done === undefined) await this.#skip(id, fresh)
    else if (isTrouble(done)) await this.#keep(id, done)
    else await this.#reporter.report(done, { message: fresh.message })
    this.#holds = undefined
  }

  /**
   * Gives back a message that is leased to this loop and was surely not sent (@default the one it keeps), so that another
   * phone can take it at once; whether it is not this loop's any more. A relay that knows no such thing is asked once.
   */
  async giveBack(reason: string, id = this.#troubled, tries = 1): Promise<boolean> {
    if (id === undefined || this.#takesNothingBack) return false
    const released = await release(id, reason, this.#context, tries)
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
  async letGo(id: string): Promise<boolean> {
    return (await this.giveBack('the phone stops', id, 3)) || !this.#takesNothingBack
  }

  /** Leaves what is wrong with the line to those who watch it. */
  async giveBackForLine(): Promise<void> {
    const given = await this.giveBack(this.#context.line.trouble ?? 'no way to send')
    if (given) this.#recovered()
  }

  /** Keeps a message for a while without sending it: the next NEXT renews its lease. */
  async hold(message: MessageFields): Promise<void> {
    const { pause, stop, turn } = this.#context
    this.#take(message)
    this.#troubled = message.id
    turn.end(0)
    await pause(holdsFor, stop)
    this.#holds = undefined
  }

  /**
   * Reports what an earlier run did not get to report; a stop ends it, for the outcomes stay in the journal. Throws
   * when the relay does not accept the keys any more.
   */
  async resume(): Promise<void> {
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
  async #attempt(fresh: Freshness): Promise<Known | Trouble | undefined> {
    for (;;) {
      const tried = await this.#attemptOnce(fresh)
      if (tried !== 'stale') return tried
      if (!(await fresh.isWanted())) return undefined
    }
  }

  async #attemptOnce(fresh: Freshness): Promise<Known | Trouble | 'stale'> {
    const { journal, line, createKey } = this.#context
    const { message } = fresh
    const mine = { id: message.id, key: createKey() }
    try {
      const known = await journal.begin(message, mine.key)
      if (known !== undefined) return known
    } catch (error) {
      return { result: 'trouble', error: sentence(error) }
    }
    const isWanted = (await fresh.isWanted()) && fresh.message === message
    const outcome = isWanted ? await attempt(fresh, this.#context) : stale
    if (outcome.result === 'stale') {
      await journal.cancel(mine)
      return 'stale'
    }
    if (outcome.result === 'trouble') {
      await journal.cancel(mine)
      return await this.#judge(mine, outcome)
    }
    await journal.record(mine, outcome)
    if (!isTest(message)) {
      line.worked()
      this.#recovered()
    }
    return { ...mine, outcome }
  }

  /** One message that only ever has trouble does not keep the others from being sent. */
  async #judge(mine: Attempt, trouble: Trouble): Promise<Known | Trouble> {
    // A driver that says how long to wait knows that it is the network's doing.
    if (this.#context.stop.aborted || (trouble.wait ?? 0) > 0) return trouble
    const verdict = await this.#blame.judge(mine.id)
    if (verdict === 'telephony') return trouble
    if (verdict === 'message') this.#recovered()
    this.#troubled = undefined
    return { ...mine, outcome: givenUp(trouble.error) }
  }

  async #skip(id: string, { status }: Freshness): Promise<void> {
    this.#troubled = undefined
    // A number that was listed while this phone had its message: the relay blocks what nobody has in hand.
    if (status === 'B') await release(id, 'not to be sent any more', this.#context)
    this.#context.emit({ event: 'skipped', id, ...(status === undefined ? {} : { status }) })
  }

  /** The message stays leased to this token, so the next NEXT gives it again. */
  async #keep(id: string, { error, wait }: Trouble): Promise<void> {
    const { emit, gateway, once, presence, stop } = this.#context
    this.#troubled = id
    this.#trouble = error
    if (gateway.begin()) emit({ event: 'trouble', id, error })
    if (!once) await presence.waits(async () => await gateway.wait(stop, wait))
  }

  #recovered(): void {
    const { emit, gateway } = this.#context
    this.#troubled = undefined
    this.#trouble = undefined
    if (gateway.end()) emit({ event: 'recovered' })
  }
}

function isTrouble(done: Known | Trouble): done is Trouble {
  return 'result' in done
}
