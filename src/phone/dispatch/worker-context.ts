import type { Pause } from '../../util/async/clock.js'
import type { FailureBackoff } from '../../util/async/failure-backoff.js'
import type { Driver } from '../driver-port/driver.js'
import type { PhoneEvent } from '../events/phone-events.js'
import type { Journal } from '../journal/journal.js'
import type { QuietHoursGate } from '../quiet-hours/quiet-hours-gate.js'
import type { RateReservation } from '../rate-limit/rate-reservation.js'
import type { PhoneClient } from '../relay/phone-client.js'
import type { PresenceTracker } from '../relay/presence.js'
import type { DriverStatus } from './driver-status.js'

/** The parts of one running phone loop, shared by its steps. */
export interface WorkerContext {
  readonly client: PhoneClient
  readonly driver: Driver
  readonly journal: Journal
  readonly emit: (event: PhoneEvent) => void
  /** The state of the relay. */
  readonly relayBackoff: FailureBackoff
  /** The state of the driver's telephony. */
  readonly driverBackoff: FailureBackoff
  /** What all loops of the phone know of that telephony. */
  readonly driverStatus: DriverStatus
  /** What all loops of the phone know of when they ask, and when they wait. */
  readonly presence: PresenceTracker
  /** This loop's share of the phone's pace. */
  readonly reservation: RateReservation
  /** The quiet hours. */
  readonly quietHours: QuietHoursGate
  /** Aborted when the loop has to end after the message in hand. */
  readonly stop: AbortSignal
  /** Aborted when the message in hand is not to be finished either. */
  readonly force: AbortSignal
  readonly once: boolean
  /** Seconds a NEXT is held open. */
  readonly wait: number
  readonly pause: Pause
  readonly random: () => number
  /** Milliseconds since any fixed moment. */
  readonly now: () => number
  readonly createKey: () => string
}
