import { getMedian } from '../../report/median.js'
import type { Bench } from '../bench.js'
import { type Measurement, measure, mergeHistograms } from '../compare.js'
import type { Actor } from '../load/actor.js'
import type { Histogram } from '../load/histogram.js'
import type { RunningServer } from '../servers/children.js'
import { type BenchDatabase, startDatabase } from '../servers/database.js'
import type { Amounts } from '../servers/records.js'

/** A node on each store, with the same records. */
export interface StorePair {
  readonly lowdb: RunningServer
  readonly postgres: RunningServer
  readonly database: BenchDatabase
}

/** Runs `work` with a relay on a data directory and a node on a database. */
export async function withBothStores<T>(
  { children }: Bench,
  name: string,
  amounts: Amounts,
  work: (pair: StorePair) => Promise<T>,
): Promise<T> {
  const directory = await children.seed(amounts)
  return await withDatabase(async database => {
    await children.seedDatabase(database.url, amounts)
    const lowdb = await children.relay(directory, `${name}-lowdb`)
    const postgres = await children.node(database.url, `${name}-postgres`)
    try {
      return await work({ lowdb, postgres, database })
    } finally {
      await lowdb.stop()
      await postgres.stop()
      children.remove(directory)
    }
  })
}

export async function withDatabase<T>(work: (database: BenchDatabase) => Promise<T>): Promise<T> {
  const database = await startDatabase()
  try {
    return await work(database)
  } finally {
    await database.stop()
  }
}

/** One of two loads that are measured in turn. */
export interface Turn {
  readonly server: RunningServer
  readonly actors: () => readonly Actor[]
}

/** Medians of one side of a comparison. */
export interface SideResult {
  /** Replies of the counted name a second. */
  readonly rate: number
  /** Microseconds of processor time of the node for one such reply. */
  readonly cpu: number
  readonly latencies: Histogram
}

/** Measures two loads in turn, so many rounds; replies with `name` count. */
export async function measureInTurn(
  { options: { seconds, rounds } }: Bench,
  name: string,
  first: Turn,
  second: Turn,
): Promise<readonly [SideResult, SideResult]> {
  const results: [Measurement[], Measurement[]] = [[], []]
  await measure({ ...first, name }, Math.min(1, seconds))
  await measure({ ...second, name }, Math.min(1, seconds))
  for (let round = 0; round < rounds; round += 1) {
    results[0].push(await measure({ ...first, name }, seconds))
    results[1].push(await measure({ ...second, name }, seconds))
  }
  return [summarize(results[0], name), summarize(results[1], name)]
}

function summarize(all: readonly Measurement[], name: string): SideResult {
  return {
    rate: getMedian(all.map(each => each.rate(name))),
    cpu: getMedian(all.map(each => each.cpu)),
    latencies: mergeHistograms(all.map(each => each.latencies.get(name) ?? each.all())),
  }
}
