import type { DriverFault } from '../harness/driver.js'
import type { Harness } from '../harness/harness.js'
import type { PhoneProcess } from '../harness/phone-process.js'
import type { CrashPoint } from '../injection/crash-point.js'
import { describePoint } from './crash-points.js'
import { type Effort, FaultCounter, type Faults, waitAtMost } from './scenario.js'

const timeLimit = 30_000
const maxOccurrence = 3

/**
 * Makes the driver kill its phone in each of these ways, and starts the phone again, under load.
 */
export async function killByDriver(
  harness: Harness,
  orders: readonly DriverFault[],
  { rounds, maxFaults }: Effort,
): Promise<Faults> {
  const counter = new FaultCounter()
  const { random, load, driver, phones } = harness
  await load.waitForAccepted(5)
  for (let round = 0; round < rounds; round += 1) {
    for (const order of random.shuffle(orders).slice(0, maxFaults)) {
      driver.setFault(order)
      const dead = Promise.race(phones.map(each => each.process.ended.then(() => each)))
      const died = await waitAtMost(timeLimit, dead)
      driver.clearFault()
      counter.count(died, order)
      if (died) (await dead).start()
      // In at-most-once mode, no phone sends the message of the killed one.
      load.allowance += 1
    }
  }
  return counter.faults
}

/** Kills the first phone at each of these points, and starts it again, under load. */
export async function killPhoneAtPoints(
  harness: Harness,
  points: readonly CrashPoint[],
  { rounds, messages, maxFaults }: Effort,
): Promise<Faults> {
  const counter = new FaultCounter()
  const { random, load, phones } = harness
  const phone = phones[0] as PhoneProcess
  await load.waitForAccepted(5)
  await phone.stop()
  for (let round = 0; round < rounds; round += 1) {
    for (const point of random.shuffle(points).slice(0, maxFaults)) {
      phone.start({ ...point, nth: point.nth ?? 1 + random.below(maxOccurrence) })
      const died = await waitAtMost(timeLimit, phone.process.ended)
      counter.count(died, describePoint(point))
      if (!died) await phone.process.end('SIGKILL')
      load.allowance += phone.settings.concurrency
    }
  }
  phone.start()
  await load.waitForAccepted(messages)
  return counter.faults
}

/** Kills phones by their drivers, then at crash points. */
export async function killPhoneInsideDriver(
  harness: Harness,
  orders: readonly DriverFault[],
  points: readonly CrashPoint[],
  effort: Effort,
): Promise<Faults> {
  const first = await killByDriver(harness, orders, effort)
  const second = await killPhoneAtPoints(harness, points, effort)
  return {
    made: first.made + second.made,
    planned: first.planned + second.planned,
    missed: [...first.missed, ...second.missed],
  }
}
