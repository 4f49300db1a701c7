import { runWithSignal } from '../../util/async/abort.js'

/** What the loops of one phone know together of its telephony. */
export class DriverStatus {
  readonly #ways = new Map<string, 'opening' | 'up' | 'down'>()
  readonly #waiting = new Set<() => void>()
  #trouble: string | undefined
  #works = 0
  #tried = false

  /** Times it has done what it was asked. */
  get successCount(): number {
    return this.#works
  }

  /** Whether all ways to send are known to be closed. */
  get isDown(): boolean {
    const states = [...this.#ways.values()]
    return states.length > 0 && states.every(state => state === 'down')
  }

  /** What is wrong, while all ways are closed. */
  get trouble(): string | undefined {
    return this.isDown ? this.#trouble : undefined
  }

  /** Notes that it has answered for a message. */
  recordSuccess(): void {
    this.#works += 1
    this.#tried = false
  }

  /** Whether another message may be tried to see what is wrong; true once until it works. */
  startProbe(): boolean {
    const may = !this.#tried
    this.#tried = true
    return may
  }

  /** Notes the state of one of the ways to send; as long as none is noted, nothing is known to be closed. */
  setWayState(way: string, state: 'opening' | 'up' | 'down', trouble?: string): void {
    this.#ways.set(way, state)
    this.#trouble = trouble ?? this.#trouble
    for (const look of [...this.#waiting]) look()
  }

  /** Waits for a way to send; false when the signal is aborted before, or where `once` none opens at the first try. */
  async waitUntilReady(stop: AbortSignal, once: boolean): Promise<boolean> {
    return await runWithSignal(
      [stop],
      signal =>
        new Promise<boolean>(resolve => {
          const look = () => {
            const states = [...this.#ways.values()]
            const isReady = states.length === 0 || states.includes('up')
            if (!isReady && !signal.aborted && !(once && this.isDown)) return
            this.#waiting.delete(look)
            resolve(isReady && !signal.aborted)
          }
          this.#waiting.add(look)
          signal.addEventListener('abort', look, { once: true })
          look()
        }),
    )
  }
}
