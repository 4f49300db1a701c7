import type { Point } from '../inside/point.js'
import type { DriverOrder } from '../world/driver.js'
import type { Phone } from '../world/phone.js'
import type { World } from '../world/world.js'
import { type Effort, FaultCounter, type Faults, settlesWithin } from './cell.js'
import { formatPoint } from './points.js'

const maxWait = 30_000
const maxNth = 3

/** Lets the driver kill its phone in each of these ways, and restarts the phone, under load. */
export async function killByDriver(
  world: World,
  orders: readonly DriverOrder[],
  { rounds, maxFaults }: Effort,
): Promise<Faults> {
  const counter = new FaultCounter()
  const { random, load, driver, phones } = world
  await load.until(5)
  for (let round = 0; round < rounds; round += 1) {
    for (const order of random.shuffled(orders).slice(0, maxFaults)) {
      driver.order(order)
      const dead = Promise.race(phones.map(each => each.process.ended.then(() => each)))
      const died = await settlesWithin(maxWait, dead)
      driver.withdraw()
      counter.count(died, order)
      if (died) (await dead).start()
      // In at-most-once mode the message of this phone is not sent.
      load.allowance += 1
    }
  }
  return counter.faults
}

/** Kills the first phone at each of these points, and restarts it, under load. */
export async function killPhone(
  world: World,
  points: readonly Point[],
  { rounds, messages, maxFaults }: Effort,
): Promise<Faults> {
  const counter = new FaultCounter()
  const { random, load, phones } = world
  const phone = phones[0] as Phone
  await load.until(5)
  await phone.stop()
  for (let round = 0; round < rounds; round += 1) {
    for (const point of random.shuffled(points).slice(0, maxFaults)) {
      phone.start({ ...point, nth: point.nth ?? 1 + random.below(maxNth) })
      const died = await settlesWithin(maxWait, phone.process.ended)
      counter.count(died, formatPoint(point))
      if (!died) await phone.process.end('SIGKILL')
      load.allowance += 1
    }
  }
  phone.start()
  await load.until(messages)
  return counter.faults
}

/** Kills phones by their drivers, and then at these points. */
export async function killPhoneBoth(
  world: World,
  orders: readonly DriverOrder[],
  points: readonly Point[],
  effort: Effort,
): Promise<Faults> {
  const first = await killByDriver(world, orders, effort)
  const second = await killPhone(world, points, effort)
  return {
    made: first.made + second.made,
    planned: first.planned + second.planned,
    absent: [...first.absent, ...second.absent],
  }
}
