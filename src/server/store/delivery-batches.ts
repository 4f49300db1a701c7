import type { Delivery } from '../../domain/webhook/delivery.js'
import { errorText } from '../../errors.js'
import { PromiseQueue } from '../../util/async/promise-queue.js'

/** Milliseconds for which logged deliveries are collected before they are written together. */
const batchDelay = 1000
/** Characters of deliveries that may wait to be written; further ones are dropped. */
const maxWaitingLength = 16 << 20

export interface LoggedDelivery {
  readonly delivery: Delivery
  readonly text: string
}

export interface DeliveryBatchesOptions {
  readonly write: (batch: readonly LoggedDelivery[]) => Promise<void>
  /** Warns of the first of several failures: why deliveries are not logged. */
  readonly warn: (reason: string) => void
}

/** What a store has logged and not written yet. */
export class DeliveryBatches {
  readonly #options: DeliveryBatchesOptions
  readonly #queue = new PromiseQueue()
  #waiting: LoggedDelivery[] = []
  #waitingLength = 0
  #timer: NodeJS.Timeout | undefined
  #isFailing = false
  #isClosed = false

  constructor(options: DeliveryBatchesOptions) {
    this.#options = options
  }

  add(delivery: Delivery): void {
    if (this.#isClosed) return
    const text = JSON.stringify(delivery)
    if (this.#waitingLength + text.length > maxWaitingLength) {
      this.#fail('the store is too slow')
      return
    }
    this.#waiting.push({ delivery, text })
    this.#waitingLength += text.length
    this.#timer ??= setTimeout(() => void this.flush(), batchDelay)
  }

  /** Does other work on the log of the store between batches. */
  async run(work: () => Promise<void>): Promise<void> {
    await this.#queue.run(work)
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#queue.run(async () => await this.#write())
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.flush()
  }

  async #write(): Promise<void> {
    const batch = this.#waiting
    if (batch.length === 0) return
    this.#waiting = []
    this.#waitingLength = 0
    try {
      await this.#options.write(batch)
      this.#isFailing = false
    } catch (error) {
      this.#fail(errorText(error))
    }
  }

  #fail(reason: string): void {
    if (!this.#isFailing) this.#options.warn(reason)
    this.#isFailing = true
  }
}
