import type { Cut, RequestKind } from '../harness/cutting-proxy.js'
import type { Harness } from '../harness/harness.js'
import { type Effort, FaultCounter, type Faults, waitAtMost } from './scenario.js'

const defaultKinds: readonly RequestKind[] = ['oauth', 'create', 'next', 'report', 'webhook']
const cuts: readonly Cut[] = ['before', 'after', 'within']
const timeLimit = 30_000
/** At most one of this many requests of a kind is cut. */
const spacing = 3

/**
 * Cuts connections before and after each kind of request reaches its server, and during the reply.
 */
export async function cutNetwork(
  harness: Harness,
  { rounds, messages, maxFaults }: Effort,
  kinds = defaultKinds,
): Promise<Faults> {
  const counter = new FaultCounter()
  const all = kinds.flatMap(kind => cuts.map(place => ({ kind, place })))
  const wanted = harness.random.shuffle(all).slice(0, maxFaults * 3)
  const open = Array.from({ length: rounds }, () => wanted).flat()
  let done = (): void => {}
  const complete = new Promise<void>(resolve => {
    done = resolve
  })
  const last = new Map<RequestKind, number>()
  const decide = (kind: RequestKind): Cut | undefined => {
    const since = (last.get(kind) ?? 0) + 1
    last.set(kind, since)
    // A webhook waits a second after one cut, five seconds after a second one.
    const at =
      since < spacing || harness.random.below(2) === 0
        ? -1
        : open.findIndex(each => each.kind === kind)
    if (at === -1) return undefined
    const [cut] = open.splice(at, 1)
    last.set(kind, 0)
    counter.count(true, '')
    if (open.length === 0) done()
    return cut?.place
  }
  harness.proxy.decide = decide
  harness.webhookProxy.decide = decide
  await waitAtMost(timeLimit + rounds * timeLimit, complete)
  harness.proxy.decide = () => undefined
  harness.webhookProxy.decide = () => undefined
  for (const { kind, place } of open) counter.count(false, `a cut ${place} ${kind}`)
  await harness.load.waitForAccepted(messages)
  return counter.faults
}
