import type { Point } from '../inside/point.js'
import type { DriverOrder } from '../world/driver.js'
import type { Phone } from '../world/phone.js'
import type { World } from '../world/world.js'
import { type Effort, type Faults, settlesWithin, Tally } from './cell.js'
import { inWords } from './points.js'

const patience = 30_000
const furthest = 3

/** Has the driver kill the phone that runs it in each of these ways, and starts the phone again, under load. */
export async function killByDriver(
  world: World,
  orders: readonly DriverOrder[],
  { rounds, most }: Effort,
): Promise<Faults> {
  const tally = new Tally()
  const { random, load, driver, phones } = world
  await load.until(5)
  for (let round = 0; round < rounds; round += 1) {
    for (const order of random.shuffled(orders).slice(0, most)) {
      driver.order(order)
      const dead = Promise.race(phones.map(each => each.process.ended.then(() => each)))
      const died = await settlesWithin(patience, dead)
      driver.withdraw()
      tally.note(died, order)
      if (died) (await dead).start()
      // In at-most-once mode nobody sends what this phone had in hand.
      load.allowance += 1
    }
  }
  return tally.faults
}

/** Kills the first phone at each of these points, and starts it again, under load. */
export async function killPhone(
  world: World,
  points: readonly Point[],
  { rounds, messages, most }: Effort,
): Promise<Faults> {
  const tally = new Tally()
  const { random, load, phones } = world
  const phone = phones[0] as Phone
  await load.until(5)
  await phone.stop()
  for (let round = 0; round < rounds; round += 1) {
    for (const point of random.shuffled(points).slice(0, most)) {
      phone.start({ ...point, nth: point.nth ?? 1 + random.below(furthest) })
      const died = await settlesWithin(patience, phone.process.ended)
      tally.note(died, inWords(point))
      if (!died) await phone.process.end('SIGKILL')
      load.allowance += 1
    }
  }
  phone.start()
  await load.until(messages)
  return tally.faults
}

/** Kills phones by their drivers, and then at points of their own. */
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
    wanted: first.wanted + second.wanted,
    absent: [...first.absent, ...second.absent],
  }
}
