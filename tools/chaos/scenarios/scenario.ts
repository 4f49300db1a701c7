import type { Harness } from '../harness/harness.js'
import type { HarnessOptions } from '../harness/harness-options.js'

/** How much a scenario does. */
export interface Effort {
  /** How often each fault is made. */
  readonly rounds: number
  /** Minimum number of messages. */
  readonly messages: number
  /** Maximum number of different faults; the seed chooses. */
  readonly maxFaults: number
}

/**
 * The faults that were made, out of the planned ones. A scenario without its faults shows nothing.
 */
export interface Faults {
  readonly made: number
  readonly planned: number
  /** Descriptions of the planned faults that did not happen. */
  readonly missed: readonly string[]
}

/** A row of the table in each delivery mode: the options of its harness, and its faults. */
export interface Scenario {
  readonly name: string
  readonly title: string
  readonly options: Omit<HarnessOptions, 'mode'>
  /**
   * Whether phones are killed between the call of the driver and the record of its result. Then the
   * phone cannot know whether the text was sent.
   */
  readonly killsInsideDriver: boolean
  /** Whether a quick run includes it. */
  readonly quick: boolean
  run(harness: Harness, effort: Effort): Promise<Faults>
}

export const defaultOptions: Omit<HarnessOptions, 'mode'> = {
  phones: [1, 1],
  load: { creators: 3, batch: 1, failEvery: 0, signInOften: false, longest: 200 },
  movesClock: false,
}

export class FaultCounter {
  #made = 0
  #planned = 0
  readonly #missed: string[] = []

  /** Counts one planned fault. */
  count(happened: boolean, what: string): void {
    this.#planned += 1
    if (happened) this.#made += 1
    else this.#missed.push(what)
  }

  get faults(): Faults {
    return { made: this.#made, planned: this.#planned, missed: this.#missed }
  }
}

/** Waits for the promise, at most this many milliseconds; resolves to whether it settled. */
export async function waitAtMost(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
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

/** Makes no faults: the baseline of all scenarios. */
export async function runUndisturbed(
  harness: Harness,
  { rounds, messages }: Effort,
): Promise<Faults> {
  await harness.load.waitForAccepted(messages * rounds)
  return new FaultCounter().faults
}
