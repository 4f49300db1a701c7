/** What the loops of one phone know together of its telephony. */
export class Line {
  #works = 0
  #tried = false

  /** Times it has done what it was asked. */
  get works(): number {
    return this.#works
  }

  /** Notes that it has answered for a message. */
  worked(): void {
    this.#works += 1
    this.#tried = false
  }

  /** Whether another message may be tried to see what is wrong; true once until it works. */
  mayTry(): boolean {
    const may = !this.#tried
    this.#tried = true
    return may
  }
}
