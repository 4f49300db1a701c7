import { setTimeout as sleep } from 'node:timers/promises'
import type { RelayProcess } from '../harness/relay-process.js'
import type { CrashPoint } from '../injection/crash-point.js'
import type { Random } from '../random.js'
import {
  createPoints,
  deliveryPoints,
  describePoint,
  reportPoints,
} from '../scenarios/crash-points.js'
import { type FaultCounter, waitAtMost } from '../scenarios/scenario.js'

export interface Progress {
  /** Share of the deliveries, 0 to 1. */
  delivered(): number
  /** The planned number of deliveries that have not happened. */
  remaining(): number
}

const pollInterval = 20
/** Longest wait for a crash point, in milliseconds. */
const timeLimit = 30_000
/**
 * The last kill happens at this share of the deliveries, while there is still work to interrupt.
 */
const lastKillAt = 0.85
const maxPause = 300
const maxOccurrence = 200
/**
 * With fewer deliveries left, all messages may already exist and be reported; only deliveries are
 * certain to continue.
 */
const manyDeliveries = 1000

/** A point that every run reaches until its end or, if `early`, any point. */
function choosePoint(random: Random, early: boolean): CrashPoint {
  const points = early
    ? [...deliveryPoints, ...createPoints, ...reportPoints.slice(0, 5)]
    : deliveryPoints
  return points[random.below(points.length)] as CrashPoint
}

/**
 * Kills the relay `kills` times while it delivers, alternately at a random moment and at a crash
 * point, and starts it again.
 */
export async function killDuringDelivery(
  relay: RelayProcess,
  kills: number,
  progress: Progress,
  random: Random,
  counter: FaultCounter,
  signal: AbortSignal,
): Promise<void> {
  const rounds = Math.ceil(kills / 2)
  for (let round = 0; round < rounds; round += 1) {
    const from = ((round + random.fraction()) / rounds) * lastKillAt
    while (progress.delivered() < from) await sleep(pollInterval, undefined, { signal })
    await sleep(random.below(maxPause), undefined, { signal })
    await relay.process.end('SIGKILL')
    counter.count(true, 'kill')
    if (round * 2 + 1 >= kills) await relay.start()
    else {
      const early = round < rounds * 0.7 && progress.remaining() > manyDeliveries
      await killAtPoint(relay, choosePoint(random, early), progress, random, counter)
    }
  }
}

/** Starts the relay with a crash point; after the crash, starts it again. */
async function killAtPoint(
  relay: RelayProcess,
  point: CrashPoint,
  progress: Progress,
  random: Random,
  counter: FaultCounter,
): Promise<void> {
  const most = Math.min(maxOccurrence, Math.ceil(progress.remaining() / 50))
  const armed = { ...point, nth: 1 + random.below(most) }
  const alive = await relay.start(armed)
  const dead = !alive || (await waitAtMost(timeLimit, relay.process.ended))
  counter.count(dead, describePoint(armed))
  if (!dead) await relay.process.end('SIGKILL')
  await relay.start()
}
