import { formatDateTime } from '../../domain/time/date-time.js'
import { runWithSignal } from '../../util/async/abort.js'
import type { Pause } from '../../util/async/clock.js'
import type { QuietHours } from '../quiet-hours/quiet-hours.js'
import type { PhoneClient } from './phone-client.js'
import type { PresenceTracker } from './presence.js'
import { classifyRelayError, getRequestedWait } from './relay-error.js'

/** What {@link keepPresence} works with. */
export interface PresenceReporterOptions {
  readonly presence: PresenceTracker
  readonly client: Pick<PhoneClient, 'status'>
  readonly quiet?: QuietHours | undefined
  /** Milliseconds since the epoch. */
  readonly time: () => number
  /** Milliseconds by the clock of the presence. */
  readonly now: () => number
  readonly pause: Pause
  readonly stop: AbortSignal
}

/** Milliseconds without a NEXT after which the relay is told; well below the five minutes of its patience. */
const reportInterval = 120_000
/** The same where it could not be reached. */
const retryInterval = 30_000
/** The same where it takes no such thing. */
const unsupportedInterval = 3_600_000
/** Least milliseconds between two looks. */
const minInterval = 15_000

/**
 * Tells the relay that the phone is there while it waits and does not ask for messages, and until when in quiet hours,
 * which it tells as they begin; until stopped. What does not reach the relay is told to nobody. Never rejects.
 */
export async function runPresenceReporter(options: PresenceReporterOptions): Promise<void> {
  const { presence, quiet, time, now, pause, stop } = options
  let wait = reportInterval
  let told: number | undefined
  while (!stop.aborted) {
    const begins = presence.quietHoursBegan
    const until = quiet?.getEnd(time())
    const isNews = until !== undefined && until !== told
    const isDue = now() - presence.lastContactAt >= wait
    if (presence.shouldReport && (isDue || isNews)) {
      wait = await sendPresence(until, options)
      told = until
      presence.recordContact()
    }
    const left = presence.lastContactAt + wait - now()
    await runWithSignal(
      [stop, begins],
      async signal => await pause(Math.max(left, minInterval), signal),
    )
  }
}

/** Resolves to the milliseconds until it is to be told again. */
async function sendPresence(
  until: number | undefined,
  { client, stop }: PresenceReporterOptions,
): Promise<number> {
  const report = until === undefined ? {} : { quiet_until: formatDateTime(until) }
  try {
    await client.status.reportPresence(report, { signal: stop })
    return reportInterval
  } catch (error) {
    return classifyRelayError(error) === 'temporary'
      ? Math.max(retryInterval, getRequestedWait(error))
      : unsupportedInterval
  }
}
