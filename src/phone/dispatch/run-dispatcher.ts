import { type Clock, createClock } from '../../util/async/clock.js'
import { FailureBackoff } from '../../util/async/failure-backoff.js'
import type { Driver } from '../driver-port/driver.js'
import { DriverStatus } from '../driver-state/driver-status.js'
import type { PhoneEvent, PhoneResult } from '../events/phone-events.js'
import { createMemoryJournal, type Journal } from '../journal/journal.js'
import type { QuietHours } from '../quiet-hours/quiet-hours.js'
import { QuietHoursGate } from '../quiet-hours/quiet-hours-gate.js'
import type { RateReservation } from '../rate-limit/rate-limiter.js'
import type { PhoneClient } from '../relay/phone-client.js'
import { PresenceTracker } from '../relay/presence.js'
import { RelaySteps } from '../relay/relay-steps.js'
import type { DispatchContext } from './dispatch-context.js'
import { Dispatcher } from './dispatcher.js'

/**
 * Options of {@link runDispatcher}. The dispatcher owns none of these objects and disposes of none.
 */
export interface DispatcherOptions {
  readonly client: PhoneClient
  readonly driver: Driver
  readonly onEvent?: (event: PhoneEvent) => void
  /** When aborted, the dispatcher ends after it has reported the messages in flight. */
  readonly stop?: AbortSignal
  /** When aborted, the phone stops the driver, and a report has one last try of at most 5 s. */
  readonly force?: AbortSignal
  /** Messages in flight with the driver, 1 to 1,000. @default the driver's own default */
  readonly concurrency?: number | undefined
  readonly driverStatus?: DriverStatus
  readonly presence?: PresenceTracker
  /** Limits the parts that the phone sends. @default no limit */
  readonly rateLimiter?: { createReservation(): RateReservation } | undefined
  /** Quiet hours, in which the dispatcher fetches no message. @default none */
  readonly quiet?: QuietHours | undefined
  /**
   * Ends the dispatcher after one message, or at once if no message is due or may be sent now.
   * @default false
   */
  readonly once?: boolean
  /** Seconds that a NEXT waits for a message. @default 25 */
  readonly wait?: number
  readonly journal?: Journal
  readonly clock?: Clock
  readonly random?: () => number
  /** Creates the idempotency key of a report. @default crypto.randomUUID */
  readonly createKey?: () => string
}

/**
 * Runs a phone's dispatcher until it is stopped. It retries while the relay is unavailable, fetches
 * no further message while outcomes cannot be reported, and never sends a message twice. Throws
 * RelayError if the relay rejects the keys, and with `once` if the relay cannot be reached.
 */
export async function runDispatcher(options: DispatcherOptions): Promise<PhoneResult> {
  const ended = new AbortController()
  const context = createContext(options, ended.signal)
  using dispatcher = new Dispatcher(context, () => ended.abort())
  const { driverStatus } = context
  driverStatus.onChange = dispatcher.handleChange
  const stop = () => {
    if (ended.signal.aborted) return
    const id = dispatcher.currentId
    context.emit({ event: 'stopping', ...(id === undefined ? {} : { id }) })
    ended.abort()
  }
  ended.signal.addEventListener('abort', dispatcher.handleChange, { once: true })
  const signals = [options.stop, options.force].filter(each => each !== undefined)
  for (const signal of signals) signal.addEventListener('abort', stop, { once: true })
  try {
    if (signals.some(signal => signal.aborted)) stop()
    await dispatcher.run()
    return dispatcher.result
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', stop)
  }
}

function createContext(options: DispatcherOptions, stop: AbortSignal): DispatchContext {
  const { clock = createClock(), random = Math.random, onEvent: emit = () => {} } = options
  const { driver, once = false } = options
  return {
    clock,
    random,
    driver,
    relay: new RelaySteps(options.client),
    journal: options.journal ?? createMemoryJournal(),
    emit,
    relayBackoff: new FailureBackoff({ clock, random }),
    driverBackoff: new FailureBackoff({ clock, random }),
    driverStatus: options.driverStatus ?? new DriverStatus(),
    presence: options.presence ?? new PresenceTracker(clock),
    rateLimiter: options.rateLimiter,
    quietHours: new QuietHoursGate({
      hours: options.quiet,
      clock,
      stop,
      onQuiet: until => emit({ event: 'quiet', until: new Date(until).toISOString() }),
    }),
    stop,
    force: options.force ?? new AbortController().signal,
    once,
    window: once ? 1 : (options.concurrency ?? driver.concurrency ?? 1),
    wait: options.wait ?? 25,
    createKey: options.createKey ?? (() => crypto.randomUUID()),
  }
}
