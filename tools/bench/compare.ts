import type { Actor } from './load/actor.js'
import { Histogram } from './load/histogram.js'
import { type LoadResult, load } from './load/load.js'
import type { Options } from './options.js'
import { median } from './report/figure.js'
import type { Running } from './servers/children.js'

/** A server, and the load that it gets. */
export interface Side {
  readonly server: Running
  readonly actors: () => readonly Actor[]
  /** Only replies under this name count. @default all */
  readonly name?: string
}

/** What a comparison came to. */
export interface Comparison {
  /** Median of the ratios of all rounds. */
  readonly ratio: number
  /** The same of processor time: what one reply of the bare server takes, of what one of the service takes. */
  readonly cpuRatio: number
  /** Median, replies a second; like the next. */
  readonly bare: number
  readonly relay: number
  /** Latencies of the service in all rounds. */
  readonly latencies: Histogram
  /** Whether the client was so busy that it may have been what was measured. */
  readonly clientBusy: number
}

/** Measures the bare server, the service and the bare server again, round after round. */
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
    ratio: median(rates.map((rate, at) => rate / (around[at] ?? 1))),
    cpuRatio: median(bares.map(each => each.cpu)) / median(relays.map(each => each.cpu)),
    bare: median(bareRates),
    relay: median(rates),
    latencies: merged(relays.map(each => each.all())),
    clientBusy: Math.max(...[...bares, ...relays].map(each => each.clientBusy)),
  }
}

/** A load, and the processor time the server needed for one reply, in microseconds. */
export interface Measurement extends LoadResult {
  readonly cpu: number
}

/** Puts load on one side. */
export async function measure(side: Side, seconds: number): Promise<Measurement> {
  const before = await side.server.cpu()
  const result = await load({ port: side.server.port, actors: side.actors(), seconds })
  const used = (await side.server.cpu()) - before
  return { ...result, cpu: used / result.total(side.name) }
}

/** All latencies together. */
export function merged(histograms: readonly Histogram[]): Histogram {
  const sum = new Histogram()
  for (const histogram of histograms) sum.merge(histogram)
  return sum
}

/** Rates of a comparison, in words. */
export function rates({ relay, bare, cpuRatio, clientBusy }: Comparison): string {
  const busy = clientBusy > 0.97 ? ', client at its limit' : ''
  return `${Math.round(relay)}/s, bare ${Math.round(bare)}/s, of processor time ${cpuRatio.toFixed(2)}${busy}`
}
