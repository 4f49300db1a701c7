// The delivery status of sent texts by polling.
//
// 1. `add` takes the provider's ids of a sent text.
// 2. `run`, a watch of the driver, asks for each text after 5 s, then after twice as long each
//    time, at most every 15 min, until its status is final or 72 h are over.
// 3. Each new state goes to the listener of the driver.
//
// The texts are in memory: those that were sent before a restart are not asked for again.

import type { Clock } from '../../../../util/async/clock.js'
import { Heap, type HeapItem } from '../../../../util/collections/heap.js'
import { parseJson } from '../../../../util/text/parse-json.js'
import { DriverError, type DriverListener, type DriverWatch } from '../../../driver-port/driver.js'
import { type DeliveryWords, readReceipts } from '../rules/delivery-rules.js'
import type { ServiceReply } from '../service/service-request.js'
import type { StatusPollingSettings } from '../settings/delivery-options.js'

interface AwaitedText extends HeapItem {
  readonly networkId: string
  readonly destination: string
  /** Milliseconds of the monotonic clock. */
  readonly since: number
  dueAt: number
  state: string
}

interface PollingContext {
  readonly clock: Pick<Clock, 'monotonic' | 'after'>
  readonly getListener: () => DriverListener | undefined
  readonly request: (url: string, text: AwaitedText, signal: AbortSignal) => Promise<ServiceReply>
}

/** Milliseconds. */
const firstDelay = 5000
const maxDelay = 15 * 60_000
const maxAge = 72 * 3_600_000
/** Texts whose status is awaited; more are not asked for. */
const maxTexts = 50_000
/** How many requests for the status of texts the driver has in progress at the same time. */
const maxRequests = 4

export class StatusPolling implements DriverWatch {
  readonly name = 'delivery status'
  readonly isRequiredToSend = false
  readonly #settings: StatusPollingSettings
  readonly #words: DeliveryWords
  readonly #context: PollingContext
  readonly #texts = new Heap<AwaitedText>((a, b) => a.dueAt < b.dueAt)
  #wake: () => void = () => {}

  constructor(settings: StatusPollingSettings, words: DeliveryWords, context: PollingContext) {
    this.#settings = settings
    this.#words = words
    this.#context = context
  }

  add(networkIds: readonly string[], destination: string): void {
    const since = this.#context.clock.monotonic()
    for (const networkId of networkIds) {
      if (this.#texts.size >= maxTexts) return
      const dueAt = since + firstDelay
      this.#texts.put({ networkId, destination, since, dueAt, state: '', place: -1 })
    }
    this.#wake()
  }

  async run(onWorking: () => void, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const due = this.#takeDue()
      if (due.length === 0) {
        await this.#waitForDue(signal)
        continue
      }
      const results = await Promise.allSettled(due.map(text => this.#ask(text, signal)))
      const failed = results.find(each => each.status === 'rejected')
      if (signal.aborted) return
      if (failed !== undefined) throw failed.reason
      onWorking()
    }
  }

  #takeDue(): AwaitedText[] {
    const now = this.#context.clock.monotonic()
    const due: AwaitedText[] = []
    for (let next = this.#texts.peek(); next !== undefined; next = this.#texts.peek()) {
      if (next.dueAt > now || due.length === maxRequests) break
      this.#texts.remove(next)
      due.push(next)
    }
    return due
  }

  async #waitForDue(signal: AbortSignal): Promise<void> {
    const { clock } = this.#context
    const next = this.#texts.peek()
    await new Promise<void>(resolve => {
      const wait = next === undefined ? undefined : Math.max(next.dueAt - clock.monotonic(), 0)
      const cancel = wait === undefined ? () => {} : clock.after(wait, () => resolve())
      this.#wake = () => {
        cancel()
        resolve()
      }
      signal.addEventListener('abort', this.#wake, { once: true })
      if (signal.aborted) this.#wake()
    })
    signal.removeEventListener('abort', this.#wake)
  }

  async #ask(text: AwaitedText, signal: AbortSignal): Promise<void> {
    let isFinal = false
    try {
      const reply = await this.#context.request(this.#settings.url, text, signal)
      isFinal = await this.#handleReply(text, reply)
    } finally {
      if (!isFinal) this.#postpone(text)
    }
  }

  #postpone(text: AwaitedText): void {
    const now = this.#context.clock.monotonic()
    const age = now - text.since
    if (age >= maxAge) return
    text.dueAt = now + Math.min(Math.max(age, firstDelay), maxDelay)
    this.#texts.put(text)
  }

  async #handleReply(text: AwaitedText, { status, body = '' }: ServiceReply): Promise<boolean> {
    if (status >= 500 || [401, 403, 429].includes(status)) {
      throw new DriverError('trouble', `The provider answers ${status} to requests for a status.`)
    }
    if (status !== 200) return false
    const [receipt] = readReceipts(parseJson(body), this.#settings.receipt, {
      ...this.#words,
      networkId: text.networkId,
    })
    if (receipt === undefined || receipt.state === text.state) return false
    const to = receipt.to === '' ? text.destination : receipt.to
    await this.#context.getListener()?.onReceipt({ ...receipt, to })
    text.state = receipt.state
    return receipt.state !== 'pending'
  }
}
