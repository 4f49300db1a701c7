import { pause } from '../../util/async/clock.js'
import { FailureBackoff } from '../../util/async/failure-backoff.js'
import type { Driver } from '../driver-port/driver.js'
import type { PhoneEvent, PhoneResult } from '../events/phone-events.js'
import { createMemoryJournal, type Journal } from '../journal/journal.js'
import type { QuietHours } from '../quiet-hours/quiet-hours.js'
import { QuietHoursGate } from '../quiet-hours/quiet-hours-gate.js'
import { type RateReservation, unlimitedReservation } from '../rate-limit/rate-reservation.js'
import type { PhoneClient } from '../relay/phone-client.js'
import { PresenceTracker } from '../relay/presence.js'
import { DriverStatus } from './driver-status.js'
import { MessageFetcher } from './message-fetcher.js'
import { MessageSender } from './message-sender.js'
import type { WorkerContext } from './worker-context.js'

/** What {@link runPhone} works with; the loop owns none of it and disposes of nothing. */
export interface WorkerOptions {
  /** Signed in with the application key; each loop needs a client, and so a token, of its own. */
  readonly client: PhoneClient
  readonly driver: Driver
  /** Told of everything that happens; must not throw. */
  readonly onEvent?: (event: PhoneEvent) => void
  /** When aborted, the loop ends after the message in hand was sent and reported. */
  readonly stop?: AbortSignal
  /** When aborted, the driver is told to give up and a report gets one last try of at most 5 s. */
  readonly force?: AbortSignal
  /** Loops in one process share one. @default a new one */
  readonly driverStatus?: DriverStatus
  /** Loops in one process share one. @default a new one */
  readonly presence?: PresenceTracker
  /** This loop's share of the phone's pace. @default no limit */
  readonly reservation?: RateReservation
  /** Hours in which nothing is taken. @default none */
  readonly quiet?: QuietHours | undefined
  /** Milliseconds since the epoch. @default Date.now */
  readonly time?: () => number
  /** Ends after one message, or at once when nothing is due or may be sent now. @default false */
  readonly once?: boolean
  /** Seconds a NEXT waits for a message to fall due. @default 25 */
  readonly wait?: number
  /** Loops in one process share one. @default a new one in memory */
  readonly journal?: Journal
  /** @default the real clock */
  readonly pause?: WorkerContext['pause']
  /** @default Math.random */
  readonly random?: WorkerContext['random']
  /** @default performance.now */
  readonly now?: WorkerContext['now']
  /** Ends once what an earlier run left is reported. @default false */
  readonly drain?: boolean
  /** Makes the idempotency key of a report. @default crypto.randomUUID */
  readonly createKey?: WorkerContext['createKey']
}

/**
 * The phone's work: NEXT, send, report, for ever, after what an earlier run has left. It outlives a relay that is away, never asks for another message
 * while an outcome is unreported, and sends no message again that it has sent. Throws RelayError when the keys do not
 * open the relay, and in `once` mode when the relay cannot be asked.
 */
export async function runWorker(options: WorkerOptions): Promise<PhoneResult> {
  const stopped = new AbortController()
  const context = createContext(options, stopped.signal)
  const hand = new MessageSender(context)
  const stop = () => {
    if (stopped.signal.aborted) return
    context.emit({
      event: 'stopping',
      ...(hand.currentId === undefined ? {} : { id: hand.currentId }),
    })
    stopped.abort()
  }
  const signals = [options.stop, options.force].filter(each => each !== undefined)
  for (const signal of signals) signal.addEventListener('abort', stop, { once: true })
  try {
    if (signals.some(signal => signal.aborted)) stop()
    await hand.reportUnreported()
    if (options.drain !== true) await runLoop(context, hand)
    return hand.result
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', stop)
  }
}

async function runLoop(context: WorkerContext, hand: MessageSender): Promise<void> {
  const { quietHours: calm, driverStatus: line, once, stop } = context
  const taker = new MessageFetcher(context)
  do {
    if (hand.hasHeldMessage && calm.isQuiet()) await hand.release('quiet hours')
    if (hand.hasHeldMessage && line.isDown) await hand.releaseForDriver()
    const kept = hand.hasHeldMessage
    const message = await taker.fetch(kept)
    if (message === undefined) continue
    // It came with the stop, or too late for it.
    if (stop.aborted && (await hand.releaseAtStop(message.id))) continue
    if (kept && calm.isQuiet()) await hand.keepLease(message)
    else await hand.process(message)
  } while (!once && !stop.aborted)
  if (hand.hasHeldMessage) await hand.release('the phone stops')
}

function createContext(options: WorkerOptions, stop: AbortSignal): WorkerContext {
  const clock = { pause: options.pause ?? pause, random: options.random ?? Math.random }
  const emit = options.onEvent ?? (() => {})
  const now = options.now ?? (() => performance.now())
  return {
    ...clock,
    client: options.client,
    driver: options.driver,
    journal: options.journal ?? createMemoryJournal(),
    emit,
    relayBackoff: new FailureBackoff(clock),
    driverBackoff: new FailureBackoff(clock),
    driverStatus: options.driverStatus ?? new DriverStatus(),
    presence: options.presence ?? new PresenceTracker(now),
    reservation: options.reservation ?? unlimitedReservation,
    quietHours: new QuietHoursGate({
      ...{ hours: options.quiet, time: options.time ?? Date.now, pause: clock.pause, stop },
      onQuiet: until => emit({ event: 'quiet', until: new Date(until).toISOString() }),
    }),
    stop,
    force: options.force ?? new AbortController().signal,
    once: options.once ?? false,
    wait: options.wait ?? 25,
    now,
    createKey: options.createKey ?? (() => crypto.randomUUID()),
  }
}
