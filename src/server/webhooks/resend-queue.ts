import type { Subscription } from '../../domain/webhook/subscription.js'
import { RelayError } from '../../errors.js'
import type { DeliveryAttempt, DueEvent } from '../services/webhooks/next-delivery.js'

/** A webhook that a user requested; it is sent out of order. */
export interface ResendRequest {
  readonly due: DueEvent
  readonly resolve: (attempt: DeliveryAttempt) => void
  readonly reject: (error: unknown) => void
}

export class ResendQueue {
  readonly #waiting: ResendRequest[] = []
  #wasLast = false

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  async add(due: DueEvent): Promise<DeliveryAttempt> {
    return await new Promise((resolve, reject) => this.#waiting.push({ due, resolve, reject }))
  }

  /** Takes the next request from the queue. Requests and due events of the worker take turns. */
  take(isEventDue: boolean): ResendRequest | undefined {
    const resend = this.#wasLast && isEventDue ? undefined : this.#waiting.shift()
    this.#wasLast = resend !== undefined
    return resend
  }

  rejectAll(error: RelayError): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error)
  }
}

export function stoppingError(): RelayError {
  return new RelayError('unavailable', 'The relay is stopping; the webhook was not sent again.')
}

export function movedError({ id }: Subscription): RelayError {
  return new RelayError(
    'unavailable',
    `Another node has taken over subscription ${id}; the webhook was not sent again.`,
  )
}

export function removedError({ id }: Subscription): RelayError {
  return new RelayError('not_a_subscription', `Subscription ${id} was removed.`)
}
