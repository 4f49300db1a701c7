import type { EndReason } from './listen-events.js'

/** When a listener ends by itself. */
export interface EndConditions {
  /** Events to wait for. */
  readonly count?: number | undefined
  /** The event to wait for. */
  readonly until?: string | undefined
  /** Milliseconds to wait at most. */
  readonly maxWait?: number | undefined
}

/** The end of a listener: one signal, one reason. */
export class ListenEnd {
  readonly #conditions: EndConditions
  readonly #ending = new AbortController()
  readonly #dispose: () => void
  #reason: EndReason = 'stopped'
  #count = 0

  /** @param stop aborted when somebody stops it */
  constructor(conditions: EndConditions, stop: AbortSignal) {
    this.#conditions = conditions
    const { maxWait } = conditions
    const onStop = (): void => this.end('stopped')
    stop.addEventListener('abort', onStop)
    const timer =
      maxWait === undefined ? undefined : setTimeout(() => this.end('max-wait'), maxWait)
    this.#dispose = () => {
      clearTimeout(timer)
      stop.removeEventListener('abort', onStop)
    }
    if (stop.aborted) onStop()
  }

  /** Aborted at the end. */
  get signal(): AbortSignal {
    return this.#ending.signal
  }

  /** Why it ended. */
  get reason(): EndReason {
    return this.#reason
  }

  /** Events that were done with. */
  get count(): number {
    return this.#count
  }

  /** Counts an event that is done with, and ends where it was waited for. */
  countEvent(event: string): void {
    if (this.signal.aborted) return
    this.#count += 1
    if (event === this.#conditions.until) this.end('until')
    else if (this.#count === this.#conditions.count) this.end('count')
  }

  /** Ends for this reason, unless it has ended already. */
  end(reason: EndReason): void {
    if (this.signal.aborted) return
    this.#reason = reason
    this.#dispose()
    this.#ending.abort()
  }
}
