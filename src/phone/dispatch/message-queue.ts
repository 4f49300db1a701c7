import type { HeldMessage } from './held-message.js'

/**
 * The messages that the phone holds, in one queue for each number: messages to one number are sent
 * one after the other, in the order in which they were claimed.
 */
export class MessageQueue {
  readonly #held = new Map<string, HeldMessage>()
  readonly #numbers = new Map<string, HeldMessage[]>()
  readonly #ready = new Set<HeldMessage>()
  readonly #started = new Set<HeldMessage>()

  get size(): number {
    return this.#held.size
  }

  get startedCount(): number {
    return this.#started.size
  }

  get queuedCount(): number {
    return this.#held.size - this.#started.size
  }

  get firstStarted(): string | undefined {
    const [first] = this.#started
    return first?.id
  }

  get(id: string): HeldMessage | undefined {
    return this.#held.get(id)
  }

  list(): Iterable<HeldMessage> {
    return this.#held.values()
  }

  listQueued(): HeldMessage[] {
    return [...this.#held.values()].filter(each => !this.#started.has(each))
  }

  add(held: HeldMessage): void {
    this.#held.set(held.id, held)
    const queue = this.#numbers.get(held.number)
    if (queue !== undefined) queue.push(held)
    else {
      this.#numbers.set(held.number, [held])
      this.#ready.add(held)
    }
  }

  startNext(): HeldMessage | undefined {
    for (const held of this.#ready) {
      this.#ready.delete(held)
      this.#started.add(held)
      return held
    }
    return undefined
  }

  isReady(): boolean {
    return this.#ready.size > 0
  }

  /** Puts a started message back; it is not started again before `makeReady`. */
  putBack(held: HeldMessage): void {
    this.#started.delete(held)
  }

  /** Makes a message that was put back the last one of those that may be sent. */
  makeReady(held: HeldMessage): void {
    if (this.#held.get(held.id) === held && !this.#started.has(held)) this.#ready.add(held)
  }

  remove(held: HeldMessage): void {
    if (this.#held.get(held.id) !== held) return
    this.#held.delete(held.id)
    this.#started.delete(held)
    this.#ready.delete(held)
    const queue = this.#numbers.get(held.number) ?? []
    const rest = queue.filter(each => each !== held)
    if (rest.length === 0) this.#numbers.delete(held.number)
    else this.#numbers.set(held.number, rest)
    const [next] = rest
    if (queue[0] === held && next !== undefined) this.#ready.add(next)
  }
}
