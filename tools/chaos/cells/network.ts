import type { Cut, RequestKind } from '../world/proxy.js'
import type { World } from '../world/world.js'
import { type Effort, type Faults, settlesWithin, Tally } from './cell.js'

const ordinaryKinds: readonly RequestKind[] = [
  'oauth',
  'create',
  'next',
  'success',
  'failure',
  'hit',
]
const places: readonly Cut[] = ['before', 'after', 'within']
const patience = 30_000
/** One in so many requests of a kind is cut, at most. */
const spacing = 3

/** Cuts connections before and after each kind of request has reached the other side, and in the middle of the reply. */
export async function cutNetwork(
  world: World,
  { rounds, messages, most }: Effort,
  kinds = ordinaryKinds,
): Promise<Faults> {
  const tally = new Tally()
  const all = kinds.flatMap(kind => places.map(place => ({ kind, place })))
  const wanted = world.random.shuffled(all).slice(0, most * 3)
  const open = Array.from({ length: rounds }, () => wanted).flat()
  let done = (): void => {}
  const complete = new Promise<void>(resolve => {
    done = resolve
  })
  const last = new Map<RequestKind, number>()
  const decide = (kind: RequestKind): Cut | undefined => {
    const since = (last.get(kind) ?? 0) + 1
    last.set(kind, since)
    // A hit that is cut waits for a second, one that is cut again for five.
    const at =
      since < spacing || world.random.below(2) === 0
        ? -1
        : open.findIndex(each => each.kind === kind)
    if (at === -1) return undefined
    const [cut] = open.splice(at, 1)
    last.set(kind, 0)
    tally.note(true, '')
    if (open.length === 0) done()
    return cut?.place
  }
  world.proxy.decide = decide
  world.hitProxy.decide = decide
  await settlesWithin(patience + rounds * patience, complete)
  world.proxy.decide = () => undefined
  world.hitProxy.decide = () => undefined
  for (const { kind, place } of open) tally.note(false, `a cut ${place} ${kind}`)
  await world.load.until(messages)
  return tally.faults
}
