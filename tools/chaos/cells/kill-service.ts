import type { Point } from '../inside/point.js'
import type { World } from '../world/world.js'
import { type Effort, type Faults, settlesWithin, Tally } from './cell.js'
import { inWords } from './points.js'

/** Longest that a point may take to come. */
const patience = 90_000
/** A point is that act of its kind, at most. */
const furthest = 4

/** Kills the service at each of these points, and starts it again, under load. */
export async function killService(
  world: World,
  points: readonly Point[],
  { rounds, messages, most }: Effort,
  prepare: () => Promise<void> = async () => {},
): Promise<Faults> {
  const tally = new Tally()
  const { service, random, load } = world
  await load.until(5)
  await service.process.end('SIGKILL')
  for (let round = 0; round < rounds; round += 1) {
    for (const point of random.shuffled(points).slice(0, most)) {
      await prepare()
      const armed = { ...point, nth: point.nth ?? 1 + random.below(furthest) }
      const alive = await service.start(armed)
      const dead = !alive || (await settlesWithin(patience, service.process.ended))
      tally.note(dead, inWords(armed))
      if (!dead) await service.process.end('SIGKILL')
    }
  }
  await service.start()
  await load.until(messages)
  return tally.faults
}

/** Kills the service at moments that have nothing to do with what it does. */
export async function killServiceAnyTime(world: World, effort: Effort): Promise<Faults> {
  const tally = new Tally()
  const { service, random, load } = world
  await load.until(5)
  const kills = Math.min(effort.rounds * 4, effort.most * 2)
  for (let kill = 0; kill < kills; kill += 1) {
    await settlesWithin(random.below(400), service.process.ended)
    await service.process.end('SIGKILL')
    tally.note(true, 'kill')
    await service.start()
  }
  await load.until(effort.messages)
  return tally.faults
}
