import { assertEndedWell } from '../world/phone.js'
import type { World } from '../world/world.js'
import { type Effort, type Faults, settlesWithin, Tally } from './cell.js'

const hour = 60 * 60_000

/** Nothing goes wrong: what every other cell is compared with. */
export async function nothing(world: World, { rounds, messages }: Effort): Promise<Faults> {
  await world.load.until(messages * rounds)
  return new Tally().faults
}

/**
 * Moves the wall clock of the service by hours, forward and back, while it serves; and at the end to the latest it ever was: what
 * was created then was to be sent then, and waits until it is that late again.
 */
export async function moveClock(world: World, { rounds, messages }: Effort): Promise<Faults> {
  const tally = new Tally()
  const { load, random, phones } = world
  let [ahead, latest] = [0, 0]
  for (let round = 0; round < rounds; round += 1) {
    for (const hours of [3, -5, 4, -2]) {
      await load.until(load.accepted.length + 3 + random.below(5))
      const by = hours * hour + random.below(hour)
      world.moveClock(by)
      ahead += by
      latest = Math.max(latest, ahead)
      tally.note(true, '')
      await settlesWithin(random.below(200), world.service.process.ended)
    }
  }
  await load.until(Math.max(messages, load.accepted.length + 10))
  for (const phone of phones) await phone.stop()
  world.moveClock(latest - ahead)
  for (const phone of phones) phone.start()
  return tally.faults
}

/** Asks the service, and then a phone, to end while they are at work: exit code 0, and on they go. */
export async function terminate(world: World, effort: Effort): Promise<Faults> {
  const tally = new Tally()
  const { load, random, service, phones } = world
  for (let round = 0; round < effort.rounds * 3; round += 1) {
    await load.until(load.accepted.length + 3 + random.below(10))
    const { process } = service
    assertEndedWell(await process.end('SIGTERM'), 'The service', process)
    await service.start()
    const phone = phones[round % phones.length]
    await load.until(load.accepted.length + 3 + random.below(10))
    await phone?.stop()
    phone?.start()
    tally.note(true, '')
    tally.note(true, '')
  }
  await load.until(effort.messages)
  return tally.faults
}
