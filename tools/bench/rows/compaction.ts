import { readdirSync } from 'node:fs'
import type { Bench } from '../bench.js'
import { runLoad } from '../load/load.js'
import type { Figure } from '../report/figure.js'
import { createCreators } from './create.js'

const longest = 120
/** Approximate bytes of a message in a snapshot. */
const messageSize = 520
/**
 * A journal is compacted at 16 MiB and half the size of the snapshot; this many bytes before that.
 */
const remainingBytes = 3 << 20

/** Measures creation during a compaction, while its temporary file exists. */
export async function measureCompaction({ options, children }: Bench): Promise<Figure[]> {
  const journal = Math.max(16 << 20, (options.million * messageSize) / 2) - remainingBytes
  const amounts = { sent: options.million - 100, due: 100, journal }
  const directory = await children.seed(amounts)
  const relay = await children.relay(directory, 'compaction')
  const watch = watchCompaction(directory)
  const result = await runLoad({
    port: relay.port,
    actors: createCreators(relay).actors(),
    seconds: longest,
    isOver: () => watch.seen > 0 && !watch.running,
    isCounted: () => watch.running,
  })
  clearInterval(watch.timer)
  await relay.stop()
  children.remove(directory)
  const latencies = result.all()
  const took = `a compaction of ${(watch.seen / 1000).toFixed(1)} s`
  return [
    {
      row: `create during compaction of ${options.million.toLocaleString('en')}, p99`,
      value: latencies.size === 0 ? undefined : latencies.quantile(0.99),
      unit: 'ms',
      target: { most: 50 },
      latencies,
      note: latencies.size === 0 ? `no compaction within ${longest} s` : took,
    },
  ]
}

interface Watch {
  readonly timer: NodeJS.Timeout
  running: boolean
  /** Milliseconds of compaction so far. */
  seen: number
}

function watchCompaction(directory: string): Watch {
  const interval = 10
  let since: number | undefined
  const look = (): void => {
    const running = readdirSync(directory).some(name => name.endsWith('.ndjson.tmp'))
    since = running ? (since ?? performance.now()) : undefined
    watch.running = running
    if (since !== undefined) watch.seen = performance.now() - since
  }
  const watch: Watch = { timer: setInterval(look, interval), running: false, seen: 0 }
  return watch
}
