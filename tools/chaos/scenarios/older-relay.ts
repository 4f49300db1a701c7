import type { RequestKind } from '../harness/cutting-proxy.js'
import type { Harness } from '../harness/harness.js'
import { cutNetwork } from './cut-network.js'
import type { Effort, Faults } from './scenario.js'

const singleKinds: readonly RequestKind[] = ['next', 'success', 'failure']
const changes = 3

/**
 * Cuts connections to a relay that knows no batches. Then the relay seems to be upgraded and
 * downgraded in turn, while phones hold messages.
 */
export async function useOlderRelay(harness: Harness, effort: Effort): Promise<Faults> {
  const { load, proxy, random } = harness
  const cuts = await cutNetwork(harness, effort, singleKinds)
  for (let change = 0; change < changes * effort.rounds; change += 1) {
    proxy.hidesBatches = !proxy.hidesBatches
    await load.waitForAccepted(load.accepted.length + 20 + random.below(20))
  }
  const made = changes * effort.rounds
  return { ...cuts, made: cuts.made + made, planned: cuts.planned + made }
}
