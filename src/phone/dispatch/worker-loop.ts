// One worker of a phone: fetches messages one at a time, sends them and reports the results.
//
// 1. `runWorker` reports what an earlier run left in the journal, then runs the loop.
// 2. message-fetcher.ts waits for quiet hours, driver and rate limit, then asks the relay (NEXT).
// 3. message-sender.ts journals the start, has the driver send (send-attempt.ts), journals the
//    outcome and has it reported (outcome-reporter.ts). failure-attribution.ts finds the cause of
//    repeated driver trouble.
// 4. A message that could not be sent now stays leased to the worker or is released
//    (held-message.ts).
//
// driver-status.ts is shared by the workers of a phone; run-phone.ts starts them.

import { type Clock, createClock } from '../../util/async/clock.js'
import { FailureBackoff } from '../../util/async/failure-backoff.js'
import type { Driver } from '../driver-port/driver.js'
import type { PhoneEvent, PhoneResult } from '../events/phone-events.js'
import { createMemoryJournal, type Journal } from '../journal/journal.js'
import type { QuietHours } from '../quiet-hours/quiet-hours.js'
import { QuietHoursGate } from '../quiet-hours/quiet-hours-gate.js'
import { RateLimiter, type RateReservation } from '../rate-limit/rate-limiter.js'
import type { PhoneClient } from '../relay/phone-client.js'
import { PresenceTracker } from '../relay/presence.js'
import { DriverStatus } from './driver-status.js'
import { MessageFetcher } from './message-fetcher.js'
import { MessageSender } from './message-sender.js'
import type { WorkerContext } from './worker-context.js'

/**
 * Options of {@link runWorker}. The phone worker owns none of these objects and disposes of none.
 */
export interface WorkerOptions {
  /** Client with the application key; each phone worker needs one with a token of its own. */
  readonly client: PhoneClient
  readonly driver: Driver
  /** Called with each phone event; must not throw. */
  readonly onEvent?: (event: PhoneEvent) => void
  /** When aborted, the phone worker ends after it has sent and reported the current message. */
  readonly stop?: AbortSignal
  /** When aborted, the phone stops the driver, and a report has one last try of at most 5 s. */
  readonly force?: AbortSignal
  /** Shared by the workers of a phone. @default a new one */
  readonly driverStatus?: DriverStatus
  /** Shared by the workers of a phone. @default a new one */
  readonly presence?: PresenceTracker
  /** The worker's slot in the phone's rate limiter. @default no limit */
  readonly reservation?: RateReservation
  /** Quiet hours, in which the worker fetches no message. @default none */
  readonly quiet?: QuietHours | undefined
  /**
   * Ends the worker after one message, or at once if no message is due or may be sent now.
   * @default false
   */
  readonly once?: boolean
  /** Seconds that a NEXT waits for a message. @default 25 */
  readonly wait?: number
  /** Shared by the workers of a phone. @default a new one in memory */
  readonly journal?: Journal
  /** @default the clock of this machine */
  readonly clock?: Clock
  /** @default Math.random */
  readonly random?: () => number
  /** Ends the worker once the outcomes of an earlier run are reported. @default false */
  readonly drain?: boolean
  /** Creates the idempotency key of a report. @default crypto.randomUUID */
  readonly createKey?: () => string
}

/**
 * Runs a phone worker until it is stopped. It retries while the relay is unavailable, fetches no
 * further message while an outcome is unreported, and never sends a message twice. Throws
 * RelayError if the relay rejects the keys, and with `once` if the relay cannot be reached.
 */
export async function runWorker(options: WorkerOptions): Promise<PhoneResult> {
  const stopped = new AbortController()
  const context = createContext(options, stopped.signal)
  const sender = new MessageSender(context)
  const stop = () => {
    if (stopped.signal.aborted) return
    const { currentId: id } = sender
    context.emit({ event: 'stopping', ...(id === undefined ? {} : { id }) })
    stopped.abort()
  }
  const signals = [options.stop, options.force].filter(each => each !== undefined)
  for (const signal of signals) signal.addEventListener('abort', stop, { once: true })
  try {
    if (signals.some(signal => signal.aborted)) stop()
    await sender.reportUnreported()
    if (options.drain !== true) await runLoop(context, sender)
    return sender.result
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', stop)
  }
}

async function runLoop(context: WorkerContext, sender: MessageSender): Promise<void> {
  const { quietHours, driverStatus, once, stop } = context
  const { held } = sender
  // A held message that NEXT does not return was postponed, blocked, locked or deleted.
  const releaseWithheld = async (): Promise<void> => {
    if (held.exists && !stop.aborted) await held.release('it must not be sent now')
  }
  const fetcher = new MessageFetcher(context, releaseWithheld)
  do {
    if (held.exists && quietHours.isQuiet()) await held.release('quiet hours')
    if (held.exists && driverStatus.isDown) await sender.releaseForDriver()
    const wasHeld = held.exists
    const message = await fetcher.fetch(wasHeld)
    if (message === undefined) continue
    if (!held.isHeld(message.id)) await releaseWithheld()
    // The phone was stopped while NEXT was returning the message.
    if (stop.aborted && (await held.releaseAtStop(message.id))) continue
    if (wasHeld && quietHours.isQuiet()) await sender.keepLease(message)
    else await sender.send(message)
  } while (!once && !stop.aborted)
  if (held.exists) await held.release('the phone stops')
}

function createContext(options: WorkerOptions, stop: AbortSignal): WorkerContext {
  const { clock = createClock(), random = Math.random, onEvent: emit = () => {} } = options
  return {
    clock,
    random,
    client: options.client,
    driver: options.driver,
    journal: options.journal ?? createMemoryJournal(),
    emit,
    relayBackoff: new FailureBackoff({ clock, random }),
    driverBackoff: new FailureBackoff({ clock, random }),
    driverStatus: options.driverStatus ?? new DriverStatus(),
    presence: options.presence ?? new PresenceTracker(clock),
    reservation: options.reservation ?? createUnlimitedReservation(clock, random),
    quietHours: new QuietHoursGate({
      hours: options.quiet,
      clock,
      stop,
      onQuiet: until => emit({ event: 'quiet', until: new Date(until).toISOString() }),
    }),
    stop,
    force: options.force ?? new AbortController().signal,
    once: options.once ?? false,
    wait: options.wait ?? 25,
    createKey: options.createKey ?? (() => crypto.randomUUID()),
  }
}

function createUnlimitedReservation(clock: Clock, random: () => number): RateReservation {
  return new RateLimiter({ rates: [], clock, random }).createReservation()
}
