import { getMedian } from '../report/median.js'
import type { Actor } from './load/actor.js'
import { Histogram } from './load/histogram.js'
import { type LoadResult, runLoad } from './load/load.js'
import type { Options } from './options.js'
import type { RunningServer } from './servers/children.js'

/** A server and its load. */
export interface Side {
  readonly server: RunningServer
  readonly actors: () => readonly Actor[]
  /** Only replies with this name are counted. @default all */
  readonly name?: string
}

/** Result of a comparison. */
export interface Comparison {
  /** Median of the ratios of all rounds. */
  readonly ratio: number
  /** Median ratio of processor time for one reply: bare server to relay. */
  readonly cpuRatio: number
  /** Median of replies a second. */
  readonly bare: number
  readonly relay: number
  /** Latencies of the relay in all rounds. */
  readonly latencies: Histogram
  /** Whether the client was so busy that it may limit the result. */
  readonly clientBusy: number
}

/** In each round measures the bare server, the relay, and the bare server again. */
export async function compare(
  { seconds, rounds }: Options,
  bare: Side,
  relay: Side,
): Promise<Comparison> {
  await measure(bare, Math.min(1, seconds))
  await measure(relay, Math.min(2, seconds))
  const bares = [await measure(bare, seconds)]
  const relays: Measurement[] = []
  for (let round = 0; round < rounds; round += 1) {
    relays.push(await measure(relay, seconds))
    bares.push(await measure(bare, seconds))
  }
  const bareRates = bares.map(each => each.rate(bare.name))
  const rates = relays.map(each => each.rate(relay.name))
  const around = rates.map((_, at) => ((bareRates[at] ?? 0) + (bareRates[at + 1] ?? 0)) / 2)
  return {
    ratio: getMedian(rates.map((rate, at) => rate / (around[at] ?? 1))),
    cpuRatio: getMedian(bares.map(each => each.cpu)) / getMedian(relays.map(each => each.cpu)),
    bare: getMedian(bareRates),
    relay: getMedian(rates),
    latencies: mergeHistograms(relays.map(each => each.all())),
    clientBusy: Math.max(...[...bares, ...relays].map(each => each.clientBusy)),
  }
}

/** A load, and the processor time the server needed for one reply, in microseconds. */
export interface Measurement extends LoadResult {
  readonly cpu: number
}

export async function measure(side: Side, seconds: number): Promise<Measurement> {
  const before = await side.server.cpu()
  const result = await runLoad({ port: side.server.port, actors: side.actors(), seconds })
  const used = (await side.server.cpu()) - before
  return { ...result, cpu: used / result.total(side.name) }
}

export function mergeHistograms(histograms: readonly Histogram[]): Histogram {
  const sum = new Histogram()
  for (const histogram of histograms) sum.merge(histogram)
  return sum
}

/** Describes the rates of a comparison. */
export function formatRates({ relay, bare, cpuRatio, clientBusy }: Comparison): string {
  const busy = clientBusy > 0.97 ? ', client at its limit' : ''
  const cpu = `processor time ratio ${cpuRatio.toFixed(2)}`
  return `${Math.round(relay)}/s, bare ${Math.round(bare)}/s, ${cpu}${busy}`
}
