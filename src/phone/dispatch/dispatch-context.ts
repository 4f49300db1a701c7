import type { Clock } from '../../util/async/clock.js'
import type { FailureBackoff } from '../../util/async/failure-backoff.js'
import type { Driver } from '../driver-port/driver.js'
import type { DriverStatus } from '../driver-state/driver-status.js'
import type { PhoneEvent } from '../events/phone-events.js'
import type { Journal } from '../journal/journal.js'
import type { QuietHoursGate } from '../quiet-hours/quiet-hours-gate.js'
import type { RateReservation } from '../rate-limit/rate-limiter.js'
import type { PresenceTracker } from '../relay/presence.js'
import type { RelaySteps } from '../relay/relay-steps.js'

export interface DispatchContext {
  readonly relay: RelaySteps
  readonly driver: Driver
  readonly journal: Journal
  readonly emit: (event: PhoneEvent) => void
  readonly relayBackoff: FailureBackoff
  readonly driverBackoff: FailureBackoff
  readonly driverStatus: DriverStatus
  readonly presence: PresenceTracker
  readonly rateLimiter: { createReservation(): RateReservation } | undefined
  readonly quietHours: QuietHoursGate
  readonly stop: AbortSignal
  /** When aborted, the phone also abandons the messages in flight. */
  readonly force: AbortSignal
  readonly once: boolean
  /** Messages that are in flight with the driver at most. */
  readonly window: number
  /** Wait of a NEXT in seconds. */
  readonly wait: number
  readonly clock: Clock
  readonly random: () => number
  readonly createKey: () => string
}
