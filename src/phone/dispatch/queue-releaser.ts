import { LruMap } from '../../util/collections/lru-map.js'
import type { DriverTrouble } from '../driver-port/attempt-outcome.js'
import type { DispatchContext } from './dispatch-context.js'
import type { HeldMessage } from './held-message.js'
import type { MessageFetcher } from './message-fetcher.js'
import type { MessageQueue } from './message-queue.js'
import type { MessageReleaser, ReleaseOptions } from './message-releaser.js'
import type { TroublePause } from './trouble-pause.js'

interface QueueReleaserOptions {
  readonly context: Pick<
    DispatchContext,
    'quietHours' | 'driverStatus' | 'clock' | 'stop' | 'emit' | 'once'
  >
  readonly queue: MessageQueue
  readonly releaser: MessageReleaser
  readonly pause: TroublePause
  readonly fetcher: Pick<MessageFetcher, 'cancel'>
  readonly onChange: () => void
}

interface Release {
  readonly messages: readonly HeldMessage[]
  readonly reason: string
}

/** Milliseconds between tries to release messages of which some could not be released. */
const retryInterval = 60_000
const stopTries = 3
const busyDelay = 30_000

/** Releases queued messages that cannot be sent soon, so that other phones can claim them. */
export class QueueReleaser {
  readonly #options: QueueReleaserOptions
  /** Numbers to which nothing is sent: until when, in `clock.monotonic` time, and why. */
  readonly #busy = new LruMap<string, { until: number; trouble: DriverTrouble }>(1000, () => 1)
  #running: Promise<void> | undefined
  #isWaiting = false

  constructor(options: QueueReleaserOptions) {
    this.#options = options
  }

  get isBusy(): boolean {
    return this.#running !== undefined && !this.#isWaiting
  }

  releaseUnsendable(): void {
    if (this.#running !== undefined || this.#options.context.stop.aborted) return
    const release = this.#findUnsendable()
    if (release === undefined) return
    this.#running = this.#run(release)
  }

  /** The trouble of a number to which nothing is sent for now. */
  findBusy(number: string): DriverTrouble | undefined {
    const { until, trouble } = this.#busy.get(number) ?? { until: 0 }
    return until > this.#options.context.clock.monotonic() ? trouble : undefined
  }

  /**
   * Releases the messages to a number that may take no texts for now; false without an answer. If
   * others take some, it is the number.
   */
  async releaseNumber(
    { number, successesBefore }: HeldMessage,
    trouble: DriverTrouble,
  ): Promise<boolean> {
    const { context, queue } = this.#options
    const now = context.clock.monotonic()
    if (this.findBusy(number) === undefined) {
      const isNumber = context.driverStatus.successCount > successesBefore
      this.#busy.set(number, { until: now + (isNumber ? busyDelay : (trouble.wait ?? 0)), trouble })
    }
    const messages = queue.listQueued().filter(each => each.number === number)
    const retryAfter = (this.#busy.get(number)?.until ?? now) - now
    return await this.#release({ messages, reason: trouble.error }, { retryAfter })
  }

  async finish(): Promise<void> {
    await this.#running
  }

  async releaseAtStop(): Promise<void> {
    const { queue } = this.#options
    const messages = queue.listQueued()
    const stopped = { messages, reason: 'the phone stops' }
    if (messages.length > 0) await this.#release(stopped, { maxTries: stopTries })
    // Without an answer another phone may have the messages, so they are not sent.
    for (const held of queue.listQueued()) queue.remove(held)
  }

  #findUnsendable(): Release | undefined {
    const { context, queue, pause } = this.#options
    const { quietHours, driverStatus, once } = context
    if (queue.queuedCount === 0 || once) return undefined
    if (quietHours.isQuiet()) return { messages: queue.listQueued(), reason: 'quiet hours' }
    if (driverStatus.isDown) {
      return { messages: queue.listQueued(), reason: driverStatus.trouble ?? 'no way to send' }
    }
    if (pause.trouble === undefined || !pause.isLasting) return undefined
    // One message stays, to find out when the driver works again.
    const others = queue.listQueued().slice(queue.startedCount > 0 ? 0 : 1)
    return others.length === 0 ? undefined : { messages: others, reason: pause.trouble }
  }

  async #run(release: Release): Promise<void> {
    const { context, pause, fetcher, onChange } = this.#options
    await fetcher.cancel()
    const isDone = await this.#release(release)
    if (isDone && context.driverStatus.isDown) pause.end()
    if (!isDone) {
      this.#isWaiting = true
      onChange()
      await context.clock.sleep(retryInterval, context.stop)
    }
    this.#isWaiting = false
    this.#running = undefined
    onChange()
  }

  async #release({ messages, reason }: Release, options?: ReleaseOptions): Promise<boolean> {
    const { context, queue, releaser } = this.#options
    const ids = messages.map(held => held.id)
    const released = await releaser.release(ids, reason, options)
    for (const held of messages) {
      if (!released.has(held.id)) {
        // Its lease is renewed before it is sent, so that two phones do not send it.
        held.mayBeReleased = true
        held.isRetry = true
        continue
      }
      held.reservation?.finish(0)
      queue.remove(held)
      context.emit({ event: 'returned', id: held.id, reason })
    }
    return released.size === messages.length
  }
}
