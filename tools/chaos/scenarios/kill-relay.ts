import type { Harness } from '../harness/harness.js'
import { assertCleanExit } from '../harness/phone-process.js'
import type { CrashPoint } from '../injection/crash-point.js'
import { describePoint } from './crash-points.js'
import { type Effort, FaultCounter, type Faults, waitAtMost } from './scenario.js'

/** Longest wait for a crash point, in milliseconds. */
const timeLimit = 90_000
/** A crash happens at one of the first actions of its kind. */
const maxOccurrence = 4

/** Kills the relay at each of these points, and starts it again, under load. */
export async function killRelayAtPoints(
  harness: Harness,
  points: readonly CrashPoint[],
  { rounds, messages, maxFaults }: Effort,
  prepare: () => Promise<void> = async () => {},
): Promise<Faults> {
  const counter = new FaultCounter()
  const { relay, random, load } = harness
  await load.waitForAccepted(5)
  await relay.process.end('SIGKILL')
  for (let round = 0; round < rounds; round += 1) {
    for (const point of random.shuffle(points).slice(0, maxFaults)) {
      await prepare()
      const armed = { ...point, nth: point.nth ?? 1 + random.below(maxOccurrence) }
      const alive = await relay.start(armed)
      const dead = !alive || (await waitAtMost(timeLimit, relay.process.ended))
      counter.count(dead, describePoint(armed))
      if (!dead) await relay.process.end('SIGKILL')
    }
  }
  await relay.start()
  await load.waitForAccepted(messages)
  return counter.faults
}

/** Kills the relay at random moments. */
export async function killRelayAnyTime(harness: Harness, effort: Effort): Promise<Faults> {
  const counter = new FaultCounter()
  const { relay, random, load } = harness
  await load.waitForAccepted(5)
  const kills = Math.min(effort.rounds * 4, effort.maxFaults * 2)
  for (let kill = 0; kill < kills; kill += 1) {
    await waitAtMost(random.below(400), relay.process.ended)
    await relay.process.end('SIGKILL')
    counter.count(true, 'kill')
    await relay.start()
  }
  await load.waitForAccepted(effort.messages)
  return counter.faults
}

/**
 * Stops the relay, and then a phone, under load; each must exit with code 0 and continue after a
 * restart.
 */
export async function terminateProcesses(harness: Harness, effort: Effort): Promise<Faults> {
  const counter = new FaultCounter()
  const { load, random, relay, phones } = harness
  for (let round = 0; round < effort.rounds * 3; round += 1) {
    await load.waitForAccepted(load.accepted.length + 3 + random.below(10))
    const { process } = relay
    assertCleanExit(await process.end('SIGTERM'), 'The relay', process)
    await relay.start()
    const phone = phones[round % phones.length]
    await load.waitForAccepted(load.accepted.length + 3 + random.below(10))
    await phone?.stop()
    phone?.start()
    counter.count(true, '')
    counter.count(true, '')
  }
  await load.waitForAccepted(effort.messages)
  return counter.faults
}
