import type { Point } from '../inside/point.js'
import type { World } from '../world/world.js'
import { type Effort, FaultCounter, type Faults, settlesWithin } from './cell.js'
import { formatPoint } from './points.js'

/** Longest wait for a point, in milliseconds. */
const maxWait = 90_000
/** Highest number of the act at which a point ends the process. */
const maxNth = 4

/** Kills the relay at each of these points, and restarts it, under load. */
export async function killService(
  world: World,
  points: readonly Point[],
  { rounds, messages, maxFaults }: Effort,
  prepare: () => Promise<void> = async () => {},
): Promise<Faults> {
  const counter = new FaultCounter()
  const { service, random, load } = world
  await load.until(5)
  await service.process.end('SIGKILL')
  for (let round = 0; round < rounds; round += 1) {
    for (const point of random.shuffled(points).slice(0, maxFaults)) {
      await prepare()
      const armed = { ...point, nth: point.nth ?? 1 + random.below(maxNth) }
      const alive = await service.start(armed)
      const dead = !alive || (await settlesWithin(maxWait, service.process.ended))
      counter.count(dead, formatPoint(armed))
      if (!dead) await service.process.end('SIGKILL')
    }
  }
  await service.start()
  await load.until(messages)
  return counter.faults
}

/** Kills the relay at random times. */
export async function killServiceAnyTime(world: World, effort: Effort): Promise<Faults> {
  const counter = new FaultCounter()
  const { service, random, load } = world
  await load.until(5)
  const kills = Math.min(effort.rounds * 4, effort.maxFaults * 2)
  for (let kill = 0; kill < kills; kill += 1) {
    await settlesWithin(random.below(400), service.process.ended)
    await service.process.end('SIGKILL')
    counter.count(true, 'kill')
    await service.start()
  }
  await load.until(effort.messages)
  return counter.faults
}
