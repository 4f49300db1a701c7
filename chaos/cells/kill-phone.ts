import type { Point } from '../inside/point.js'
import type { DriverOrder } from '../world/driver.js'
import type { World } from '../world/world.js'
import { type Effort, type Faults, settlesWithin, Tally } from './cell.js'
import { inWords } from './points.js'

const patience = 12_000
const furthest = 3

/** A way for a phone to die: at a point of its own, or by the driver it runs. */
export type Death = Point | DriverOrder

/** Kills the first phone in each of these ways, and starts it again, under load. */
export async function killPhone(
  world: World,
  deaths: readonly Death[],
  { rounds, messages, most }: Effort,
): Promise<Faults> {
  const tally = new Tally()
  const { random, load } = world
  await load.until(5)
  for (let round = 0; round < rounds; round += 1) {
    for (const death of random.shuffled(deaths).slice(0, most)) {
      tally.note(await die(world, death), typeof death === 'string' ? death : inWords(death))
      // In at-most-once mode nobody sends what this phone had in hand.
      load.allowance += 1
    }
  }
  await load.until(messages)
  return tally.faults
}

async function die(world: World, death: Death): Promise<boolean> {
  const { phones, driver, random } = world
  if (typeof death === 'string') {
    driver.order(death)
    const ended = phones.map(async phone => {
      await phone.process.ended
      return phone
    })
    const died = await settlesWithin(patience, Promise.race(ended))
    driver.withdraw()
    if (died) (await Promise.race(ended)).start()
    return died
  }
  const [phone] = phones
  if (phone === undefined) throw new Error('The cell has no phone.')
  await phone.stop()
  phone.start({ ...death, nth: death.nth ?? 1 + random.below(furthest) })
  const died = await settlesWithin(patience, phone.process.ended)
  if (!died) await phone.process.end('SIGKILL')
  phone.start()
  return died
}
