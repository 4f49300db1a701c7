/** A stretch of a ranked list: an id and the code of its status at each place, and how many there are of each code. */
export class MessageListBlock {
  readonly #ids: (string | undefined)[] = []
  readonly #codes: number[] = []
  readonly #counts: number[]
  #size = 0

  /** @param codes number of different codes */
  constructor(codes: number) {
    this.#counts = new Array<number>(codes).fill(0)
  }

  /** Number of ids. */
  get size(): number {
    return this.#size
  }

  /** Puts an id with its code at a place. */
  set(place: number, id: string, code: number): void {
    if (place < this.#ids.length) this.clear(place)
    while (this.#ids.length <= place) this.#push()
    this.#ids[place] = id
    this.#codes[place] = code
    this.#count(code, 1)
  }

  /** Empties a place. */
  clear(place: number): void {
    if (this.#ids[place] === undefined) return
    this.#ids[place] = undefined
    this.#count(this.#codes[place] ?? 0, -1)
  }

  /**
   * Adds ids of the wanted codes to `found` until it holds `count`, without the first `skip`; returns how many
   * of those were not in this block.
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
      const place = order === 'asc' ? step : last - step
      const id = this.#ids[place]
      if (id === undefined || wanted[this.#codes[place] ?? -1] !== true) continue
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
