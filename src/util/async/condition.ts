export class Condition {
  #waiting: (() => void)[] = []

  notify(): void {
    for (const check of this.#waiting.splice(0)) check()
  }

  async waitUntil(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) await new Promise<void>(resolve => this.#waiting.push(resolve))
  }
}
