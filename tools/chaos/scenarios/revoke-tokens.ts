import { setTimeout as sleep } from 'node:timers/promises'
import type { Harness } from '../harness/harness.js'
import type { PhoneProcess } from '../harness/phone-process.js'
import { type Effort, FaultCounter, type Faults } from './scenario.js'

const pollInterval = 20
const timeLimit = 30_000

/**
 * Revokes the tokens of the phones in turn, under load. The messages that a phone held wait for the
 * end of their leases; the phone must get another token and continue.
 */
export async function revokeTokens(
  { load, phones, integrator, random }: Harness,
  { rounds, messages }: Effort,
): Promise<Faults> {
  const counter = new FaultCounter()
  await load.waitForAccepted(5)
  for (let round = 0; round < rounds * 2; round += 1) {
    for (const [index, phone] of phones.entries()) {
      await load.waitForAccepted(load.accepted.length + 5 + random.below(10))
      const token = await waitForToken(phone, undefined)
      if (token !== undefined) await integrator.revoke(token)
      // A phone holds at most twice its window.
      load.allowance += 2 * phone.settings.concurrency
      const isNew = token !== undefined && (await waitForToken(phone, token)) !== undefined
      counter.count(isNew, `another token of phone ${index} after its token was revoked`)
    }
  }
  await load.waitForAccepted(Math.max(messages, load.accepted.length + 10))
  return counter.faults
}

/** Resolves to the token of the phone when it is not `last`; undefined after the time limit. */
async function waitForToken(
  phone: PhoneProcess,
  last: string | undefined,
): Promise<string | undefined> {
  const deadline = performance.now() + timeLimit
  while (performance.now() < deadline) {
    const token = await phone.readToken()
    if (token !== undefined && token !== last) return token
    await sleep(pollInterval)
  }
  return undefined
}
