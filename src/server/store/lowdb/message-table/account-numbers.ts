/** Numbers for the ids of accounts, so that a record has four bytes instead of an id. */
export class AccountNumbers {
  readonly #ids: string[] = []
  readonly #numbers = new Map<string, number>()

  getId(number: number): string {
    return this.#ids[number] ?? ''
  }

  getNumber(id: string): number {
    const known = this.#numbers.get(id)
    if (known !== undefined) return known
    this.#numbers.set(id, this.#ids.length)
    return this.#ids.push(id) - 1
  }
}
