import type { DeliveryMode } from '../../../src/domain/account/account.js'
import type { Status } from '../../../src/domain/message/message.js'

/** A message whose creation was answered with 200. */
export interface Accepted {
  readonly id: string
  /** Unique text. */
  readonly text: string
  /** Times of the first request and of the reply, on one clock. */
  readonly begun: number
  readonly ended: number
}

/** A line of the driver's file. */
export interface Send {
  readonly phone: string
  /** Number of the phone's process. */
  readonly life: string
  readonly id: string
  readonly text: string
}

/** A message as the relay lists it at the end, after a restart. */
export interface Listed {
  readonly id: string
  readonly text: string
  readonly status: Status
  /** `status_date`. */
  readonly since: string
}

/** All observations of a cell from outside. */
export interface History {
  readonly mode: DeliveryMode
  readonly accepted: readonly Accepted[]
  readonly sends: readonly Send[]
  /** Phone processes that were killed. */
  readonly killed: ReadonlySet<string>
  /** In order of creation. */
  readonly listed: readonly Listed[]
  /**
   * By subscription, whose name begins with the event: message of each webhook, in order of
   * arrival.
   */
  readonly arrivals: ReadonlyMap<string, readonly string[]>
  /** Phones with one worker, which report in the order in which they send. */
  readonly serial: readonly string[]
  /** Texts that the modem received, in order; all different. */
  readonly texts: readonly string[]
  /** Received texts that the relay lists, in the order of their reports. */
  readonly received: readonly string[]
  /** Whether the relay's clock only moved forward, so that `since` gives an order. */
  readonly steady: boolean
}
