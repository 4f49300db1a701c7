import type { Clock } from '../../util/async/clock.js'
import type { FailureBackoff } from '../../util/async/failure-backoff.js'
import type { Driver } from '../driver-port/driver.js'
import type { PhoneEvent } from '../events/phone-events.js'
import type { Journal } from '../journal/journal.js'
import type { QuietHoursGate } from '../quiet-hours/quiet-hours-gate.js'
import type { RateReservation } from '../rate-limit/rate-limiter.js'
import type { PhoneClient } from '../relay/phone-client.js'
import type { PresenceTracker } from '../relay/presence.js'
import type { DriverStatus } from './driver-status.js'

/** The objects that fetching, sending and reporting of one phone worker share. */
export interface WorkerContext {
  readonly client: PhoneClient
  readonly driver: Driver
  readonly journal: Journal
  readonly emit: (event: PhoneEvent) => void
  readonly relayBackoff: FailureBackoff
  readonly driverBackoff: FailureBackoff
  /** Shared by all workers of the phone. */
  readonly driverStatus: DriverStatus
  /** Shared by all workers of the phone. */
  readonly presence: PresenceTracker
  readonly reservation: RateReservation
  readonly quietHours: QuietHoursGate
  readonly stop: AbortSignal
  /** When aborted, the phone worker also abandons the current message. */
  readonly force: AbortSignal
  readonly once: boolean
  /** Wait of a NEXT in seconds. */
  readonly wait: number
  readonly clock: Clock
  readonly random: () => number
  readonly createKey: () => string
}
