import { setTimeout as sleep } from 'node:timers/promises'
import type { Harness } from '../harness/harness.js'
import type { Silence } from '../harness/network/modem.js'
import type { PhoneProcess } from '../harness/phone-process.js'
import { type Effort, FaultCounter, type Faults, waitAtMost } from './scenario.js'

const timeLimit = 90_000
const pollInterval = 50

const silences: readonly Silence[] = ['unsent text', 'sent text', 'line', 'ATZ', 'restart']

/** Makes the modem that sends fall silent in each of these ways, under load. */
export async function silenceModem(
  { random, load, modem }: Harness,
  { rounds, messages, maxFaults }: Effort,
): Promise<Faults> {
  const counter = new FaultCounter()
  await load.waitForAccepted(5)
  for (let round = 0; round < rounds; round += 1) {
    for (const silence of random.shuffle(silences).slice(0, maxFaults)) {
      // A text with an unknown result is not sent again before its retry delay.
      load.allowance += 1
      const isUsed = await waitAtMost(timeLimit, modem.fallSilent(silence))
      counter.count(isUsed, `a text after the silence: ${silence}`)
    }
  }
  await load.waitForAccepted(messages)
  return counter.faults
}

/** Fills the modem's memory with drafts until the phone reports it, then removes them. */
export async function fillMemory(
  { load, modem, phones }: Harness,
  { rounds, messages, maxFaults }: Effort,
): Promise<Faults> {
  const counter = new FaultCounter()
  const phone = phones[0] as PhoneProcess
  await load.waitForAccepted(5)
  for (let round = 0; round < rounds * Math.min(maxFaults, 3); round += 1) {
    const { driverErrors, driverRecoveries } = phone
    modem.addDrafts()
    const isReported = await waitUntil(() => phone.driverErrors > driverErrors)
    counter.count(isReported, 'trouble for a full memory')
    await load.waitForAccepted(load.accepted.length + 10)
    modem.removeDrafts()
    const isOver = await waitUntil(() => phone.driverRecoveries > driverRecoveries)
    counter.count(isOver, 'the end of that trouble')
  }
  await load.waitForAccepted(messages)
  return counter.faults
}

async function waitUntil(isTrue: () => boolean): Promise<boolean> {
  const deadline = performance.now() + timeLimit
  while (!isTrue() && performance.now() < deadline) await sleep(pollInterval)
  return isTrue()
}
