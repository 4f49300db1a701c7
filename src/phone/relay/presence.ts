// Reports to the relay that the phone is running while it sends no other requests.
//
// 1. The dispatcher wraps each NEXT and each long wait in a PresenceTracker.
// 2. `runPresenceReporter` watches it. When the dispatcher waits and the relay has had no request
//    for two minutes, it reports the phone's presence, in quiet hours with their end.

import { formatDateTime } from '../../domain/time/date-time.js'
import { runWithSignal } from '../../util/async/abort.js'
import type { Clock } from '../../util/async/clock.js'
import type { QuietHours } from '../quiet-hours/quiet-hours.js'
import type { PhoneClient } from './phone-client.js'
import { classifyRelayError, getRequestedWait } from './relay-error.js'

export class PresenceTracker {
  readonly #clock: Clock
  #waiting = 0
  #requests = 0
  #lastContactAt: number
  #quietHoursBegan = new AbortController()

  constructor(clock: Clock) {
    this.#clock = clock
    this.#lastContactAt = clock.monotonic()
  }

  get shouldReport(): boolean {
    return this.#waiting > 0 && this.#requests === 0
  }

  /** Last contact in `clock.monotonic` time; at first, when the phone started. */
  get lastContactAt(): number {
    return this.#lastContactAt
  }

  get quietHoursBegan(): AbortSignal {
    return this.#quietHoursBegan.signal
  }

  recordContact(): void {
    this.#lastContactAt = this.#clock.monotonic()
  }

  async trackRequest<T>(work: () => Promise<T>): Promise<T> {
    this.#requests += 1
    try {
      return await work()
    } finally {
      this.#requests -= 1
      this.recordContact()
    }
  }

  async trackWait<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting += 1
    try {
      return await work()
    } finally {
      this.#waiting -= 1
    }
  }

  async trackQuietHours(work: () => Promise<void>): Promise<void> {
    await this.trackWait(async () => {
      this.#quietHoursBegan.abort()
      this.#quietHoursBegan = new AbortController()
      await work()
    })
  }
}

interface PresenceReporterOptions {
  readonly presence: PresenceTracker
  readonly client: Pick<PhoneClient, 'status'>
  readonly quiet?: QuietHours | undefined
  readonly clock: Clock
  readonly stop: AbortSignal
}

/** Milliseconds; the relay shows a phone as away after five minutes without a request. */
const reportInterval = 120_000
const retryInterval = 30_000
const minPause = 15_000

/** Reports the presence of an idle phone until stopped. Errors are ignored. Never rejects. */
export async function runPresenceReporter(options: PresenceReporterOptions): Promise<void> {
  const { presence, quiet, clock, stop } = options
  let interval = reportInterval
  let reportedEnd: number | undefined
  while (!stop.aborted) {
    const began = presence.quietHoursBegan
    const end = quiet?.getEnd(clock.now())
    const isNewEnd = end !== undefined && end !== reportedEnd
    const isDue = clock.monotonic() - presence.lastContactAt >= interval
    if (presence.shouldReport && (isDue || isNewEnd)) {
      interval = await sendPresence(end, options)
      reportedEnd = end
      presence.recordContact()
    }
    const left = presence.lastContactAt + interval - clock.monotonic()
    await runWithSignal(
      [stop, began],
      async signal => await clock.sleep(Math.max(left, minPause), signal),
    )
  }
}

/** Reports the phone's presence; resolves to the milliseconds until the next report. */
async function sendPresence(
  quietUntil: number | undefined,
  { client, stop }: PresenceReporterOptions,
): Promise<number> {
  const report = quietUntil === undefined ? {} : { quiet_until: formatDateTime(quietUntil) }
  try {
    await client.status.reportPresence(report, { signal: stop })
    return reportInterval
  } catch (error) {
    return classifyRelayError(error) === 'temporary'
      ? Math.max(retryInterval, getRequestedWait(error))
      : reportInterval
  }
}
