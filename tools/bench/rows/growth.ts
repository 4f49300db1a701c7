import { getMedian } from '../../report/median.js'
import type { Bench } from '../bench.js'
import { measure, mergeHistograms, type Side } from '../compare.js'
import type { Histogram } from '../load/histogram.js'
import { createListStep, getSteps } from '../load/requests.js'
import type { Figure } from '../report/figure.js'
import type { RunningServer } from '../servers/children.js'
import { getMessageId } from '../servers/records.js'
import { createCreators } from './create.js'
import { countDueMessages, createPhones } from './phones.js'
import { createReaders } from './read.js'

const few = 1000
const due = 100

/** Compares p50 of a full store with p50 of a small one. */
export async function measureGrowth({ options, children }: Bench): Promise<Figure[]> {
  const { million } = options
  const directories = [
    await children.seed({ sent: few - due, due }),
    await children.seed({ sent: million - due, due }),
  ] as const
  const small = await children.relay(directories[0], 'growth-small')
  const full = await children.relay(directories[1], 'growth-full')
  const pairs = [
    createPair('create', small, full, server => createCreators(server)),
    // The creations before left more messages than phones can claim in the same time.
    createPair('next', small, full, server => createPhones(server)),
    {
      ...createPair('get', small, full, server => createReaders(server, [])),
      ...createGetSides(small, full, million),
    },
    createPair('list', small, full, server => createReaders(server, [createListStep()])),
  ]
  const figures = await measurePairs(pairs, options)
  for (const server of [small, full]) await server.stop()
  for (const directory of directories) children.remove(directory)
  return figures.map(figure => ({
    ...figure,
    row: `${figure.row} at ${million.toLocaleString('en')} stored, p50 growth`,
  }))
}

/** Measures NEXT with and without scheduled messages. */
export async function measureScheduled({ options, children }: Bench): Promise<Figure[]> {
  const many = options.million
  const waiting = countDueMessages((options.rounds + 1) * options.seconds)
  const directories = [
    await children.seed({ sent: few, due: waiting }),
    await children.seed({ sent: few, due: waiting, scheduled: many }),
  ] as const
  const small = await children.relay(directories[0], 'scheduled-none')
  const full = await children.relay(directories[1], 'scheduled-many')
  const figures = await measurePairs(
    [createPair('next', small, full, server => createPhones(server))],
    options,
  )
  for (const server of [small, full]) await server.stop()
  for (const directory of directories) children.remove(directory)
  return figures.map(figure => ({
    ...figure,
    row: `NEXT with ${many.toLocaleString('en')} scheduled, p50 growth`,
  }))
}

interface Pair {
  readonly name: string
  readonly small: Side
  readonly full: Side
}

function createPair(
  name: string,
  small: RunningServer,
  full: RunningServer,
  side: (server: RunningServer) => Side,
): Pair {
  return { name, small: side(small), full: side(full) }
}

function createGetSides(
  small: RunningServer,
  full: RunningServer,
  million: number,
): Pick<Pair, 'small' | 'full'> {
  const some = (of: number): string[] =>
    Array.from({ length: 5000 }, (_, n) => getMessageId((n * 7919) % (of - due)))
  return {
    small: createReaders(small, getSteps(some(few))),
    full: createReaders(full, getSteps(some(million))),
  }
}

async function measurePairs(
  pairs: readonly Pair[],
  { seconds, rounds }: Bench['options'],
): Promise<Figure[]> {
  const grown = pairs.map(() => [] as { small: Histogram; full: Histogram }[])
  // The first round is a warm-up and is not counted.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [at, { name, small, full }] of pairs.entries()) {
      const time = name === 'next' && pairs.length > 1 ? seconds / 2 : seconds
      const first = (await measure(round % 2 === 0 ? small : full, time)).latencies.get(name)
      const second = (await measure(round % 2 === 0 ? full : small, time)).latencies.get(name)
      if (first === undefined || second === undefined) continue
      const both = round % 2 === 0 ? { small: first, full: second } : { small: second, full: first }
      if (round > 0) grown[at]?.push(both)
    }
  }
  return pairs.map(({ name }, at) => createFigure(name, grown[at] ?? []))
}

function createFigure(
  name: string,
  rounds: readonly { small: Histogram; full: Histogram }[],
): Figure {
  const small = mergeHistograms(rounds.map(round => round.small))
  return {
    row: name === 'next' ? 'NEXT' : name,
    value: getMedian(rounds.map(round => round.full.quantile(0.5) / round.small.quantile(0.5))),
    unit: 'growth',
    target: { most: 1.2 },
    latencies: mergeHistograms(rounds.map(round => round.full)),
    note: `small: p50 ${small.quantile(0.5).toFixed(2)}, p99 ${small.quantile(0.99).toFixed(2)} ms`,
  }
}
