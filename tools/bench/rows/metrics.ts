import { getMedian } from '../../report/median.js'
import { type Bench, connections } from '../bench.js'
import { measure, type Side } from '../compare.js'
import { createFlowActors } from '../load/flow.js'
import { getSteps } from '../load/requests.js'
import type { Options } from '../options.js'
import type { Figure } from '../report/figure.js'
import type { RunningServer } from '../servers/children.js'
import { getMessageId } from '../servers/records.js'
import { createReaders } from './read.js'

const stored = { sent: 900, due: 100 }
/** Pairs of turns in a round: a difference of some percent needs many. */
const pairsPerRound = 16

/** Measures the processor time of the hot verbs with metrics, compared with none. */
export async function measureMetrics({ options, children }: Bench): Promise<Figure[]> {
  const directories = [await children.seed(stored), await children.seed(stored)]
  const [off, on] = [
    await children.relay(directories[0] ?? '', 'metrics-off'),
    await children.relay(directories[1] ?? '', 'metrics-on', { metricsPort: 0 }),
  ]
  const gets = getSteps(Array.from({ length: stored.sent }, (_, n) => getMessageId(n)))
  const loads: Readonly<Record<string, (server: RunningServer) => Side>> = {
    'create → NEXT → success': createFlow,
    get: server => createReaders(server, gets),
  }
  const figures: Figure[] = []
  for (const [verbs, create] of Object.entries(loads)) {
    const { cost, spread, times } = await compareCosts(options, create(off), create(on))
    figures.push({
      ...{ row: `metrics on: ${verbs}`, value: cost, unit: 'growth', target: { most: 1.03 } },
      note:
        `processor time ${times.on.toFixed(1)} µs, without metrics ${times.off.toFixed(1)} µs; ` +
        `half of the pairs between ${spread.join(' and ')}`,
    })
  }
  for (const server of [off, on]) await server.stop()
  for (const directory of directories) children.remove(directory)
  return figures
}

function createFlow(server: RunningServer): Side {
  return { server, actors: () => createFlowActors({ pairs: connections }), name: 'success' }
}

/** The median of the ratios of turns next to each other, and the median times for a reply. */
async function compareCosts({ seconds, rounds }: Options, off: Side, on: Side) {
  for (const side of [off, on]) await measure(side, seconds)
  const pairs: { readonly off: number; readonly on: number }[] = []
  for (let pair = 0; pair < rounds * pairsPerRound; pair += 1) {
    // The first of the two differs from turn to turn.
    const isSwapped = pair % 2 === 1
    const first = (await measure(isSwapped ? on : off, seconds / 4)).cpu
    const second = (await measure(isSwapped ? off : on, seconds / 4)).cpu
    pairs.push(isSwapped ? { on: first, off: second } : { off: first, on: second })
  }
  const ratios = pairs.map(pair => pair.on / pair.off).sort((a, b) => a - b)
  const getQuarter = (share: number): string => ratios.at(ratios.length * share)?.toFixed(2) ?? ''
  return {
    cost: getMedian(ratios),
    spread: [getQuarter(0.25), getQuarter(0.75)],
    times: {
      off: getMedian(pairs.map(pair => pair.off)),
      on: getMedian(pairs.map(pair => pair.on)),
    },
  }
}
