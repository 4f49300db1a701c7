import type { Harness } from '../harness/harness.js'
import { type Effort, FaultCounter, type Faults, waitAtMost } from './scenario.js'

const hour = 60 * 60_000

/**
 * Moves the relay's clock forward and back by hours under load, and at the end to its latest time.
 * Messages that were created then are due then.
 */
export async function moveClock(harness: Harness, { rounds, messages }: Effort): Promise<Faults> {
  const counter = new FaultCounter()
  const { load, random, phones } = harness
  let [ahead, latest] = [0, 0]
  for (let round = 0; round < rounds; round += 1) {
    for (const hours of [3, -5, 4, -2]) {
      await load.waitForAccepted(load.accepted.length + 3 + random.below(5))
      const by = hours * hour + random.below(hour)
      harness.moveClock(by)
      // What waits now is not due for hours, or was not if the phones were slow.
      load.allowance = load.accepted.length
      ahead += by
      latest = Math.max(latest, ahead)
      counter.count(true, '')
      await waitAtMost(random.below(200), harness.relay.process.ended)
    }
  }
  await load.waitForAccepted(Math.max(messages, load.accepted.length + 10))
  for (const phone of phones) await phone.stop()
  harness.moveClock(latest - ahead)
  for (const phone of phones) phone.start()
  return counter.faults
}
