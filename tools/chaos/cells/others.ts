import { assertEndedWell } from '../world/phone.js'
import type { World } from '../world/world.js'
import { type Effort, FaultCounter, type Faults, settlesWithin } from './cell.js'

const hour = 60 * 60_000

/** Runs the load without faults, to compare with. */
export async function runWithoutFaults(
  world: World,
  { rounds, messages }: Effort,
): Promise<Faults> {
  await world.load.until(messages * rounds)
  return new FaultCounter().faults
}

/**
 * Moves the wall clock of the relay by hours, forward and back. At the end it is the latest time
 * that it ever was, because messages that were created then are due then.
 */
export async function moveClock(world: World, { rounds, messages }: Effort): Promise<Faults> {
  const counter = new FaultCounter()
  const { load, random, phones } = world
  let [ahead, latest] = [0, 0]
  for (let round = 0; round < rounds; round += 1) {
    for (const hours of [3, -5, 4, -2]) {
      await load.until(load.accepted.length + 3 + random.below(5))
      const by = hours * hour + random.below(hour)
      world.moveClock(by)
      ahead += by
      latest = Math.max(latest, ahead)
      counter.count(true, '')
      await settlesWithin(random.below(200), world.service.process.ended)
    }
  }
  await load.until(Math.max(messages, load.accepted.length + 10))
  for (const phone of phones) await phone.stop()
  world.moveClock(latest - ahead)
  for (const phone of phones) phone.start()
  return counter.faults
}

/** Ends relay and phones with SIGTERM under load, expects exit code 0, and restarts them. */
export async function terminate(world: World, effort: Effort): Promise<Faults> {
  const counter = new FaultCounter()
  const { load, random, service, phones } = world
  for (let round = 0; round < effort.rounds * 3; round += 1) {
    await load.until(load.accepted.length + 3 + random.below(10))
    const { process } = service
    assertEndedWell(await process.end('SIGTERM'), 'The relay', process)
    await service.start()
    const phone = phones[round % phones.length]
    await load.until(load.accepted.length + 3 + random.below(10))
    await phone?.stop()
    phone?.start()
    counter.count(true, '')
    counter.count(true, '')
  }
  await load.until(effort.messages)
  return counter.faults
}
