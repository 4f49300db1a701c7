import type { MessageFields } from '../../contract/message-schema.js'
import type { Status } from '../../domain/message/message.js'
import { getDialledNumber } from '../../domain/sms/phone-number.js'
import type { Clock } from '../../util/async/clock.js'
import type { RateReservation } from '../rate-limit/rate-limiter.js'

/** Milliseconds. */
const freshFor = 1000

/**
 * A message that the phone leases from the claim until the driver has settled it. The relay may
 * change it meanwhile.
 */
export class HeldMessage {
  readonly id: string
  readonly number: string
  /** The rate limit's slot of the message; absent without a rate limit. */
  readonly reservation: RateReservation | undefined
  isRetry = false
  /** Waits in a row that the driver has asked for. */
  waits = 0
  /** Driver troubles in a row, and the phone's successes before the first of them. */
  tries = 0
  successesBefore = 0
  /** When the lease began or was renewed, in `clock.monotonic` time. */
  leasedAt: number
  /** Whether a release got no answer, so that another phone may have the message by now. */
  mayBeReleased = false
  readonly #clock: Pick<Clock, 'monotonic'>
  #checkedAt: number
  #message: MessageFields
  #status: Status | undefined
  #isPostponed = false
  #isLost = false

  constructor(
    message: MessageFields,
    clock: Pick<Clock, 'monotonic'>,
    reservation?: RateReservation,
  ) {
    this.id = message.id
    this.reservation = reservation
    this.number = getDialledNumber(message.destination, message.number)
    this.leasedAt = clock.monotonic()
    this.#checkedAt = this.leasedAt
    this.#clock = clock
    this.#message = message
    this.#status = message.status
  }

  /** The message as last seen; another object once it was edited. */
  get message(): MessageFields {
    return this.#message
  }

  get status(): Status | undefined {
    return this.#status
  }

  /** Whether what is known of the message is of the last second. */
  get isFresh(): boolean {
    return this.#clock.monotonic() - this.#checkedAt <= freshFor
  }

  get canSend(): boolean {
    if (this.#isLost || this.#isPostponed) return false
    return this.#status === 'N' || this.#status === 'E'
  }

  /** Whether the relay waits for the phone to release the message, which it must not send now. */
  get isHeldBack(): boolean {
    if (this.#isLost) return false
    return this.#isPostponed || this.#status === 'B' || this.#status === 'L'
  }

  /** Applies the message as a NEXT has given it again, which began a new lease. */
  regain(found: MessageFields): void {
    this.update(found)
    this.leasedAt = this.#clock.monotonic()
    this.mayBeReleased = false
    this.#isLost = false
  }

  update(found: MessageFields): void {
    const { destination, message, send_on: sendOn } = this.#message
    // Times in this form compare as texts.
    this.#isPostponed = found.send_on > sendOn
    const isSame = found.destination === destination && found.message === message
    if (!isSame) this.#message = found
    this.#status = found.status
    this.#checkedAt = this.#clock.monotonic()
  }

  /** Notes that the phone does not hold the message any more, and its status if it exists. */
  lose(status: Status | undefined): void {
    this.#status = status
    this.#isLost = true
  }

  /** Notes that the relay did not answer; the last known state counts for another second. */
  keep(): void {
    this.#checkedAt = this.#clock.monotonic()
  }
}
