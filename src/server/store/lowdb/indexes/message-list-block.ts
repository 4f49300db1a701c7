/** A block of a message list: identifiers with a status code, and the number of each code. */
export class MessageListBlock {
  readonly #ids: (string | undefined)[] = []
  readonly #codes: number[] = []
  readonly #counts: number[]
  #size = 0

  /** @param codes number of status codes */
  constructor(codes: number) {
    this.#counts = new Array<number>(codes).fill(0)
  }

  get size(): number {
    return this.#size
  }

  set(position: number, id: string, code: number): void {
    if (position < this.#ids.length) this.clear(position)
    while (this.#ids.length <= position) this.#push()
    this.#ids[position] = id
    this.#codes[position] = code
    this.#count(code, 1)
  }

  clear(position: number): void {
    if (this.#ids[position] === undefined) return
    this.#ids[position] = undefined
    this.#count(this.#codes[position] ?? 0, -1)
  }

  /**
   * Skips `skip` ids of the wanted codes, then adds ids to `found` until it has `count`. Returns how
   * many ids to skip in the next block.
   */
  collect(
    wanted: readonly boolean[],
    skip: number,
    count: number,
    order: 'asc' | 'desc',
    found: string[],
  ): number {
    const inside = this.#sum(wanted)
    if (skip >= inside) return skip - inside
    let left = skip
    const last = this.#ids.length - 1
    for (let step = 0; step <= last && found.length < count; step += 1) {
      const position = order === 'asc' ? step : last - step
      const id = this.#ids[position]
      if (id === undefined || wanted[this.#codes[position] ?? -1] !== true) continue
      if (left > 0) left -= 1
      else found.push(id)
    }
    return left
  }

  #push(): void {
    this.#ids.push(undefined)
    this.#codes.push(0)
  }

  #sum(wanted: readonly boolean[]): number {
    let sum = 0
    for (let code = 0; code < wanted.length; code += 1) {
      if (wanted[code] === true) sum += this.#counts[code] ?? 0
    }
    return sum
  }

  #count(code: number, change: number): void {
    this.#counts[code] = (this.#counts[code] ?? 0) + change
    this.#size += change
  }
}
