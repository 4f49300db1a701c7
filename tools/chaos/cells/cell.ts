import type { World, WorldOptions } from '../world/world.js'

/** How much a cell does. */
export interface Effort {
  /** How often each fault is made. */
  readonly rounds: number
  /** Messages there are at least. */
  readonly messages: number
  /** Most different faults; the seed chooses. */
  readonly most: number
}

/** Faults that were made, of those that were to be: a cell whose faults did not happen has shown nothing. */
export interface Faults {
  readonly made: number
  readonly wanted: number
  /** In words, what did not happen. */
  readonly absent: readonly string[]
}

/** A row of the table for each delivery mode: a world, and what happens to it. */
export interface Cell {
  readonly name: string
  readonly title: string
  readonly options: Omit<WorldOptions, 'mode'>
  /**
   * Whether phones are killed between the call of the driver and the record of what came of it, when nobody can know
   * whether the text was sent.
   */
  readonly killsInsideDriver: boolean
  /** Whether a quick run has it. */
  readonly quick: boolean
  run(world: World, effort: Effort): Promise<Faults>
}

/** The world most cells have. */
export const ordinary: Omit<WorldOptions, 'mode'> = {
  phones: [1, 1],
  load: { creators: 3, failEvery: 0, signInOften: false, longest: 200 },
  movesClock: false,
}

/** Counts faults. */
export class Tally {
  #made = 0
  #wanted = 0
  readonly #absent: string[] = []

  /** Notes whether a fault happened. */
  note(happened: boolean, what: string): void {
    this.#wanted += 1
    if (happened) this.#made += 1
    else this.#absent.push(what)
  }

  get faults(): Faults {
    return { made: this.#made, wanted: this.#wanted, absent: this.#absent }
  }
}

/** Resolves to whether the promise has settled within so many milliseconds. */
export async function settlesWithin(
  milliseconds: number,
  work: Promise<unknown>,
): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>(resolve => {
    timer = setTimeout(resolve, milliseconds, false)
  })
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}
