import type { Harness } from '../harness/harness.js'
import type { SmscFault } from '../harness/network/smsc.js'
import { phoneReceiptPoints } from './crash-points.js'
import { cutNetwork } from './cut-network.js'
import { killPhoneAtPoints } from './kill-phone.js'
import { type Effort, FaultCounter, type Faults, waitAtMost } from './scenario.js'

/** Milliseconds; the pauses of driver and phone grow up to a minute. */
const timeLimit = 300_000

/** Five submit_sm without a response open the circuit breaker of the driver; more probe it. */
const silences: readonly SmscFault[] = [
  { kind: 'silent', accepts: false, count: 1 },
  { kind: 'silent', accepts: true, count: 1 },
  { kind: 'silent', accepts: false, count: 5 },
  { kind: 'silent', accepts: true, count: 6 },
]

const cuts: readonly SmscFault[] = [1, 2, 3, 5].map(count => ({ kind: 'cut', count }))

/** Makes the SMSC fall silent, with its enquire_link still answered, under load. */
export async function silenceSmsc(harness: Harness, effort: Effort): Promise<Faults> {
  return await disturbSmsc(harness, silences, effort)
}

/** Makes the SMSC cut its connections in the middle of a window, under load. */
export async function cutSmsc(harness: Harness, effort: Effort): Promise<Faults> {
  return await disturbSmsc(harness, cuts, effort)
}

const receiptCuts: readonly SmscFault[] = [1, 2, 3, 5].map(count => ({ kind: 'receipt', count }))

/**
 * Cuts the connections of the SMSC before acknowledgements of receipts, so that it repeats them;
 * then those of the relay around the reports of receipts. Then it kills the phone at each step of
 * receipts.
 */
export async function disturbReceipts(harness: Harness, effort: Effort): Promise<Faults> {
  const repeated = await disturbSmsc(harness, receiptCuts, effort)
  const cut = await cutNetwork(harness, effort, ['delivery'])
  const killed = await killPhoneAtPoints(harness, phoneReceiptPoints, effort)
  return {
    made: repeated.made + cut.made + killed.made,
    planned: repeated.planned + cut.planned + killed.planned,
    missed: [...repeated.missed, ...cut.missed, ...killed.missed],
  }
}

async function disturbSmsc(
  { random, load, smsc }: Harness,
  faults: readonly SmscFault[],
  { rounds, messages, maxFaults }: Effort,
): Promise<Faults> {
  const counter = new FaultCounter()
  await load.waitForAccepted(5)
  for (let round = 0; round < rounds; round += 1) {
    for (const fault of random.shuffle(faults).slice(0, maxFaults)) {
      // A text with an unknown result is not sent again before its retry delay.
      load.allowance += fault.count
      const isOver = await waitAtMost(timeLimit, smsc.fail(fault))
      counter.count(isOver, `a text after ${fault.count} without a response (${fault.kind})`)
    }
  }
  await load.waitForAccepted(messages)
  return counter.faults
}
