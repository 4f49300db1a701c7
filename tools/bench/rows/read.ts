import { type Bench, forEachConnection } from '../bench.js'
import { compare, rates, type Side } from '../compare.js'
import { repeating, type Step } from '../load/actor.js'
import { listing, messagePath, readings } from '../load/requests.js'
import type { Figure } from '../report/figure.js'
import { ask } from '../servers/ask.js'
import type { Running } from '../servers/children.js'
import { idOf } from '../servers/records.js'

const stored = { sent: 900, due: 100 }

/** Measures the read of one message. */
export async function get(bench: Bench): Promise<Figure[]> {
  const ids = Array.from({ length: stored.sent }, (_, n) => idOf(n))
  return [await reading(bench, 'get', readings(ids), `GET ${messagePath}/${ids[0]}`)]
}

/** Measures the read of a page of 50 messages. */
export async function list(bench: Bench): Promise<Figure[]> {
  return [await reading(bench, 'list, 50 messages', [listing()], `GET ${messagePath}`)]
}

async function reading(
  { options, children }: Bench,
  row: string,
  steps: readonly Step[],
  key: string,
): Promise<Figure> {
  const directory = await children.seed(stored)
  const relay = await children.relay(directory, row.split(',')[0] ?? '')
  const reply = await ask(relay.port, steps[0]?.bytes ?? '')
  const bare = await children.bare([[key, reply]])
  const result = await compare(options, readers(bare, steps.slice(0, 1)), readers(relay, steps))
  await relay.stop()
  await bare.stop()
  children.remove(directory)
  return {
    ...{ row, value: result.ratio, unit: 'ratio', target: { least: 0.6 } },
    latencies: result.latencies,
    note: `${rates(result)}, ${reply.length} bytes`,
  }
}

/** Each connection repeats the same requests, from its own start. */
export function readers(server: Running, steps: readonly Step[]): Side {
  return { server, actors: () => forEachConnection(number => repeating(steps, number * 997)) }
}
