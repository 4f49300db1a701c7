import type { World, WorldOptions } from '../world/world.js'

/** The extent of a cell. */
export interface Effort {
  /** Number of times that each fault is made. */
  readonly rounds: number
  /** Minimum number of messages. */
  readonly messages: number
  /** Maximum number of different faults; the seed chooses. */
  readonly maxFaults: number
}

/** The faults of a cell. If one did not happen, the cell proves nothing. */
export interface Faults {
  readonly made: number
  readonly planned: number
  /** Descriptions of the faults that did not happen. */
  readonly absent: readonly string[]
}

/** A row of the table for each delivery mode: a world and its faults. */
export interface Cell {
  readonly name: string
  readonly title: string
  readonly options: Omit<WorldOptions, 'mode'>
  /**
   * Whether phones are killed between the call of the driver and the record of its outcome, so that
   * it is unknown whether the text was sent.
   */
  readonly killsInsideDriver: boolean
  /** Whether a quick run includes it. */
  readonly quick: boolean
  run(world: World, effort: Effort): Promise<Faults>
}

/** The world of most cells. */
export const defaultOptions: Omit<WorldOptions, 'mode'> = {
  phones: [1, 1],
  load: { creators: 3, failEvery: 0, signInOften: false, longest: 200 },
  movesClock: false,
}

/** Counts faults. */
export class FaultCounter {
  #made = 0
  #planned = 0
  readonly #absent: string[] = []

  /** Counts a planned fault. */
  count(happened: boolean, description: string): void {
    this.#planned += 1
    if (happened) this.#made += 1
    else this.#absent.push(description)
  }

  get faults(): Faults {
    return { made: this.#made, planned: this.#planned, absent: this.#absent }
  }
}

/** Resolves to whether the promise settles within `milliseconds`. */
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
