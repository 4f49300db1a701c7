import { type Bench, forEachConnection } from '../bench.js'
import { compare, formatRates, type Side } from '../compare.js'
import { repeatSteps, type Step } from '../load/actor.js'
import { createListStep, getSteps, messagePath } from '../load/requests.js'
import type { Figure } from '../report/figure.js'
import type { RunningServer } from '../servers/children.js'
import { getMessageId } from '../servers/records.js'
import { sendRequest } from '../servers/send-request.js'

const stored = { sent: 900, due: 100 }

/** Measures the read of one message. */
export async function measureGet(bench: Bench): Promise<Figure[]> {
  const ids = Array.from({ length: stored.sent }, (_, n) => getMessageId(n))
  return [await measureRead(bench, 'get', getSteps(ids), `GET ${messagePath}/${ids[0]}`)]
}

/** Measures the read of a page of 50 messages. */
export async function measureList(bench: Bench): Promise<Figure[]> {
  return [await measureRead(bench, 'list, 50 messages', [createListStep()], `GET ${messagePath}`)]
}

async function measureRead(
  { options, children }: Bench,
  row: string,
  steps: readonly Step[],
  key: string,
): Promise<Figure> {
  const directory = await children.seed(stored)
  const relay = await children.relay(directory, row.split(',')[0] ?? '')
  const reply = await sendRequest(relay.port, steps[0]?.bytes ?? '')
  const bare = await children.bare([[key, reply]])
  const result = await compare(
    options,
    createReaders(bare, steps.slice(0, 1)),
    createReaders(relay, steps),
  )
  await relay.stop()
  await bare.stop()
  children.remove(directory)
  return {
    ...{ row, value: result.ratio, unit: 'ratio', target: { least: 0.6 } },
    latencies: result.latencies,
    note: `${formatRates(result)}, ${reply.length} bytes`,
  }
}

/** Each connection repeats the same requests, from its own start. */
export function createReaders(server: RunningServer, steps: readonly Step[]): Side {
  return { server, actors: () => forEachConnection(number => repeatSteps(steps, number * 997)) }
}
