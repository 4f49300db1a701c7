import type { Cut, RequestKind } from '../world/proxy.js'
import type { World } from '../world/world.js'
import { type Effort, FaultCounter, type Faults, settlesWithin } from './cell.js'

const defaultKinds: readonly RequestKind[] = [
  'oauth',
  'create',
  'next',
  'success',
  'failure',
  'webhook',
]
const places: readonly Cut[] = ['before', 'after', 'within']
const maxWait = 30_000
/** At most every third request of a kind is cut. */
const spacing = 3

/** Cuts connections before and after requests of each kind, and within replies. */
export async function cutNetwork(
  world: World,
  { rounds, messages, maxFaults }: Effort,
  kinds = defaultKinds,
): Promise<Faults> {
  const counter = new FaultCounter()
  const all = kinds.flatMap(kind => places.map(place => ({ kind, place })))
  const planned = world.random.shuffled(all).slice(0, maxFaults * 3)
  const open = Array.from({ length: rounds }, () => planned).flat()
  let done = (): void => {}
  const complete = new Promise<void>(resolve => {
    done = resolve
  })
  const last = new Map<RequestKind, number>()
  const decide = (kind: RequestKind): Cut | undefined => {
    const since = (last.get(kind) ?? 0) + 1
    last.set(kind, since)
    // A webhook is retried after one second, and after five if it is cut again.
    const at =
      since < spacing || world.random.below(2) === 0
        ? -1
        : open.findIndex(each => each.kind === kind)
    if (at === -1) return undefined
    const [cut] = open.splice(at, 1)
    last.set(kind, 0)
    counter.count(true, '')
    if (open.length === 0) done()
    return cut?.place
  }
  world.proxy.decide = decide
  world.webhookProxy.decide = decide
  await settlesWithin(maxWait + rounds * maxWait, complete)
  world.proxy.decide = () => undefined
  world.webhookProxy.decide = () => undefined
  for (const { kind, place } of open) counter.count(false, `a cut ${place} ${kind}`)
  await world.load.until(messages)
  return counter.faults
}
