/** Lets work wait until a condition is true; a change of it calls `notify`. */
export class Condition {
  #waiting: (() => void)[] = []

  /** Makes all that wait for the condition check it again. */
  notify(): void {
    for (const check of this.#waiting.splice(0)) check()
  }

  async waitUntil(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) await new Promise<void>(resolve => this.#waiting.push(resolve))
  }
}
