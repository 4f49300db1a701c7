import type { DeliveryMode } from '../../../src/domain/account/account.js'
import type { Status } from '../../../src/domain/message/message.js'

/** A message whose creation was answered 200. */
export interface AcceptedMessage {
  readonly id: string
  /** Unique. */
  readonly text: string
  /** Milliseconds on one clock: of the first request and of the reply. */
  readonly begun: number
  readonly ended: number
}

export interface SentText {
  readonly phone: string
  /** The process of the phone: its name and the number of its start. */
  readonly life: string
  readonly id: string
  readonly text: string
}

/** A message in the list of the relay after its last restart. */
export interface ListedMessage {
  readonly id: string
  readonly text: string
  readonly status: Status
  readonly statusDate: string
  /** State of the delivery; undefined if no receipt arrived. */
  readonly delivery?: string | undefined
}

/** Everything that was observed of a scenario from outside. */
export interface History {
  readonly mode: DeliveryMode
  readonly accepted: readonly AcceptedMessage[]
  readonly sends: readonly SentText[]
  /** Lives of the phones that ended with SIGKILL. */
  readonly killed: ReadonlySet<string>
  /** Messages that a phone has in flight at most. @default 1 */
  readonly window?: number
  /** Texts that the network reported as delivered. @default none */
  readonly delivered?: ReadonlySet<string>
  /** In order of creation. */
  readonly listed: readonly ListedMessage[]
  /**
   * Message identifiers of all webhooks in order, by subscription; the name starts with the event.
   */
  readonly arrivals: ReadonlyMap<string, readonly string[]>
  /** Phones that send one message at a time, so they report in the order of sending. */
  readonly serialPhones: readonly string[]
  /** Texts that arrived at the modem, in order; each is unique. */
  readonly simTexts: readonly string[]
  /** Received texts in the list of the relay, in the order of their reports. */
  readonly received: readonly string[]
  /** Whether the relay's clock never moved back, so that `statusDate` shows an order. */
  readonly hasSteadyClock: boolean
}
