import { formatDateTime } from '../../domain/time/date-time.js'
import { withSignal } from '../../util/async/abort.js'
import type { Pause } from '../../util/async/clock.js'
import type { PhoneClient } from '../dispatch/worker-context.js'
import type { QuietHours } from '../quiet-hours/quiet-hours.js'
import type { Presence } from './presence.js'
import { requestedWait, verdict } from './relay-error.js'

/** What {@link keepPresence} works with. */
export interface KeepPresenceOptions {
  readonly presence: Presence
  readonly client: Pick<PhoneClient, 'reportPresence'>
  readonly quiet?: QuietHours | undefined
  /** Milliseconds since the epoch. */
  readonly time: () => number
  /** Milliseconds by the clock of the presence. */
  readonly now: () => number
  readonly pause: Pause
  readonly stop: AbortSignal
}

/** Milliseconds without a NEXT after which the relay is told; well below the five minutes of its patience. */
const every = 120_000
/** The same where it could not be reached. */
const again = 30_000
/** The same where it takes no such thing. */
const seldom = 3_600_000
/** Least milliseconds between two looks. */
const least = 15_000

/**
 * Tells the relay that the phone is there while it waits and does not ask for messages, and until when in quiet hours,
 * which it tells as they begin; until stopped. What does not reach the relay is told to nobody. Never rejects.
 */
export async function keepPresence(options: KeepPresenceOptions): Promise<void> {
  const { presence, quiet, time, now, pause, stop } = options
  let wait = every
  let told: number | undefined
  while (!stop.aborted) {
    const begins = presence.quietBegins
    const until = quiet?.until(time())
    const isNews = until !== undefined && until !== told
    const isDue = now() - presence.heardAt >= wait
    if (presence.isWanted && (isDue || isNews)) {
      wait = await tell(until, options)
      told = until
      presence.heard()
    }
    const left = presence.heardAt + wait - now()
    await withSignal([stop, begins], async signal => await pause(Math.max(left, least), signal))
  }
}

/** Resolves to the milliseconds until it is to be told again. */
async function tell(
  until: number | undefined,
  { client, stop }: KeepPresenceOptions,
): Promise<number> {
  const report = until === undefined ? {} : { quiet_until: formatDateTime(until) }
  try {
    await client.reportPresence(report, { signal: stop })
    return every
  } catch (error) {
    return verdict(error) === 'temporary' ? Math.max(again, requestedWait(error)) : seldom
  }
}
