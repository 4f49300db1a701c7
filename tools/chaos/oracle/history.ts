import type { DeliveryMode } from '../../../src/domain/account/account.js'
import type { Status } from '../../../src/domain/message/message.js'

/** A message that was answered 200. */
export interface Accepted {
  readonly id: string
  /** Says which message it is: no two have the same. */
  readonly text: string
  /** When it was first asked for and when the answer came, on one clock. */
  readonly begun: number
  readonly ended: number
}

/** A line of the driver's own file. */
export interface Send {
  readonly phone: string
  /** Which of the phone's processes it was. */
  readonly life: string
  readonly id: string
  readonly text: string
}

/** A message as the service lists it at the end, after it was opened once more. */
export interface Listed {
  readonly id: string
  readonly text: string
  readonly status: Status
  /** `status_date`. */
  readonly since: string
}

/** All that was seen of a cell from outside. */
export interface History {
  readonly mode: DeliveryMode
  readonly accepted: readonly Accepted[]
  readonly sends: readonly Send[]
  /** The phones' lives that SIGKILL has ended. */
  readonly killed: ReadonlySet<string>
  /** In the order of creation. */
  readonly listed: readonly Listed[]
  /** Identifiers of messages for each subscription, every hit in the order of arrival; the name begins with the event. */
  readonly arrivals: ReadonlyMap<string, readonly string[]>
  /** Phones that have one message in hand at a time, so that they report in the order in which they send. */
  readonly serial: readonly string[]
  /** Texts that came to the modem, in order; no two are the same. */
  readonly texts: readonly string[]
  /** Texts the service lists as received, in the order in which it was told of them. */
  readonly received: readonly string[]
  /** Whether the service's clock only went forward, so that `since` says an order. */
  readonly steady: boolean
}
