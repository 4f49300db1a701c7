import fc from 'fast-check'
import { scale } from '../../../tier.js'

/** On a slow store the time limit allows fewer runs. */
const bounds = { numRuns: scale(25), interruptAfterTimeLimit: 8000 }

/** Checks a property of a store with values of an arbitrary. */
export async function assertWithinTime<T>(
  values: fc.Arbitrary<T>,
  check: (value: T) => Promise<void>,
): Promise<void> {
  // After the time limit the current run continues; its database must not be removed before.
  let running: Promise<void> = Promise.resolve()
  const property = fc.asyncProperty(values, async value => {
    running = check(value)
    await running
  })
  await fc.assert(property, bounds).finally(() => running.catch(() => {}))
}
