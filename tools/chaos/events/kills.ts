import { setTimeout as sleep } from 'node:timers/promises'
import { type FaultCounter, settlesWithin } from '../cells/cell.js'
import { createPoints, formatPoint, reportPoints, subscriptionPoints } from '../cells/points.js'
import type { Point } from '../inside/point.js'
import type { Random } from '../random.js'
import type { Service } from '../world/service.js'

/** Progress of a run. */
export interface Progress {
  /** Share of delivered events, 0 to 1. */
  delivered(): number
  /** Number of planned deliveries that are left. */
  left(): number
}

const pollInterval = 20
/** Longest wait for a point, in milliseconds. */
const maxWait = 30_000
/** The last kill is at this share of the deliveries, so that the relay is still busy. */
const lastAt = 0.85
const longestPause = 300
const maxNth = 200
/** With fewer deliveries left, all messages may be finished; only deliveries continue. */
const manyDeliveries = 1000

/** A point of a delivery, or early in a run of any act. */
function choose(random: Random, early: boolean): Point {
  const points = early
    ? [...subscriptionPoints, ...createPoints, ...reportPoints.slice(0, 5)]
    : subscriptionPoints
  return points[random.below(points.length)] as Point
}

/** Kills and restarts the delivering relay: in turn at a random time and at a chosen point. */
export async function killRepeatedly(
  service: Service,
  kills: number,
  progress: Progress,
  random: Random,
  counter: FaultCounter,
  signal: AbortSignal,
): Promise<void> {
  const rounds = Math.ceil(kills / 2)
  for (let round = 0; round < rounds; round += 1) {
    const from = ((round + random.fraction()) / rounds) * lastAt
    while (progress.delivered() < from) await sleep(pollInterval, undefined, { signal })
    await sleep(random.below(longestPause), undefined, { signal })
    await service.process.end('SIGKILL')
    counter.count(true, 'kill')
    if (round * 2 + 1 >= kills) await service.start()
    else {
      const early = round < rounds * 0.7 && progress.left() > manyDeliveries
      await killAtPoint(service, choose(random, early), progress, random, counter)
    }
  }
}

/** Starts the relay, waits until it is killed at the point, and starts it again. */
async function killAtPoint(
  service: Service,
  point: Point,
  progress: Progress,
  random: Random,
  counter: FaultCounter,
): Promise<void> {
  const max = Math.min(maxNth, Math.ceil(progress.left() / 50))
  const armed = { ...point, nth: 1 + random.below(max) }
  const alive = await service.start(armed)
  const dead = !alive || (await settlesWithin(maxWait, service.process.ended))
  counter.count(dead, formatPoint(armed))
  if (!dead) await service.process.end('SIGKILL')
  await service.start()
}
