import { setTimeout as sleep } from 'node:timers/promises'
import { settlesWithin, type Tally } from '../cells/cell.js'
import { createPoints, inWords, lanePoints, reportPoints } from '../cells/points.js'
import type { Point } from '../inside/point.js'
import type { Random } from '../random.js'
import type { Service } from '../world/service.js'

/** How far a run is. */
export interface Progress {
  /** Events that were delivered, 0 to 1. */
  delivered(): number
  /** Deliveries that are still to come, as far as planned. */
  left(): number
}

const lookEvery = 20
/** Longest that a point may take to come, in milliseconds. */
const patience = 30_000
/** No kill later than this share of the deliveries, so that what it kills is still going on. */
const lastAt = 0.85
const longestPause = 300
const furthest = 200
/** With fewer deliveries left, all messages may be made and settled already: nothing but the lanes is sure to go on. */
const many = 1000

/** A point of an act that goes on until the very end of a run, or, early, of any. */
function choose(random: Random, early: boolean): Point {
  const points = early ? [...lanePoints, ...createPoints, ...reportPoints.slice(0, 5)] : lanePoints
  return points[random.below(points.length)] as Point
}

/**
 * Kills the service so many times while it delivers, and starts it again: in turn at a moment that has nothing to do
 * with what it does, and at a chosen point soon after.
 */
export async function killAlongTheWay(
  service: Service,
  kills: number,
  progress: Progress,
  random: Random,
  tally: Tally,
  signal: AbortSignal,
): Promise<void> {
  const rounds = Math.ceil(kills / 2)
  for (let round = 0; round < rounds; round += 1) {
    const from = ((round + random.fraction()) / rounds) * lastAt
    while (progress.delivered() < from) await sleep(lookEvery, undefined, { signal })
    await sleep(random.below(longestPause), undefined, { signal })
    await service.process.end('SIGKILL')
    tally.note(true, 'kill')
    if (round * 2 + 1 >= kills) await service.start()
    else {
      const early = round < rounds * 0.7 && progress.left() > many
      await killAtPoint(service, choose(random, early), progress, random, tally)
    }
  }
}

/** Starts the service to be killed at a point, and again when it was. */
async function killAtPoint(
  service: Service,
  point: Point,
  progress: Progress,
  random: Random,
  tally: Tally,
): Promise<void> {
  const most = Math.min(furthest, Math.ceil(progress.left() / 50))
  const armed = { ...point, nth: 1 + random.below(most) }
  const alive = await service.start(armed)
  const dead = !alive || (await settlesWithin(patience, service.process.ended))
  tally.note(dead, inWords(armed))
  if (!dead) await service.process.end('SIGKILL')
  await service.start()
}
