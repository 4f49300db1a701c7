import type { Server } from 'node:http'
import type { Bench } from '../bench.js'
import type { Histogram } from '../load/histogram.js'
import { createSteps } from '../load/requests.js'
import type { Figure } from '../report/figure.js'
import { apiToken, getNeighborToken } from '../servers/accounts.js'
import { sendRequest } from '../servers/send-request.js'
import { measureLatency, openReceiver, subscribe } from './webhook.js'

/** More webhooks than the relay has in flight: each account may have 64 of the 512. */
const neighbors = 9
const receivers = 5
const subscriptions = 80
const messages = 60
/** Milliseconds until slow receivers reply, on average; the times are spread over this range. */
const slowReply = 500

const webhooks = 150

/**
 * Measures the webhooks of one account, alone and while others have a backlog for slow receivers
 * that fills the relay's limit of webhooks in flight.
 */
export async function measureFairness({ options, children }: Bench): Promise<Figure[]> {
  const directory = await children.seed({ sent: 1000, neighbors })
  const relay = await children.relay(directory, 'fair')
  const counts = new Map<string, number>()
  const slow = await Promise.all(
    Array.from({ length: receivers }, async () => await openSlowReceiver(counts)),
  )
  const quiet = await openReceiver((_, response) => response.end())
  await subscribe(relay.port, apiToken, quiet, 'quiet')
  const count = Math.ceil(webhooks * Math.min(1, options.seconds))
  const idle = await measureLatency(relay.port, quiet, count)
  for (let number = 0; number < neighbors; number += 1) {
    await createBacklog(relay.port, slow, number)
  }
  counts.clear()
  const from = performance.now()
  const busy = await measureLatency(relay.port, quiet, count)
  const seconds = (performance.now() - from) / 1000
  for (const sink of [quiet, ...slow]) {
    sink.close()
    sink.closeAllConnections()
  }
  await relay.stop()
  children.remove(directory)
  return createFigures(idle, busy, counts, seconds)
}

function createFigures(
  idle: Histogram,
  busy: Histogram,
  counts: ReadonlyMap<string, number>,
  seconds: number,
): Figure[] {
  const rates = Array.from({ length: neighbors }, (_, number) => counts.get(`/${number}`) ?? 0)
  const rate = rates.reduce((sum, each) => sum + each, 0) / seconds
  const idleTail = idle.quantile(0.99)
  return [
    {
      row: `event to webhook beside ${neighbors} accounts with a backlog, p99 above idle`,
      value: busy.quantile(0.99) - idleTail,
      unit: 'ms',
      target: { most: 50 },
      latencies: busy,
      note: `idle p99 ${idleTail.toFixed(2)} ms; replies to the others take ${slowReply} ms`,
    },
    {
      row: 'webhooks of these accounts, fewest to most',
      value: Math.min(...rates) / Math.max(...rates),
      unit: 'ratio',
      target: { least: 0.8 },
      note: `${Math.round(rate)} a second in all`,
    },
  ]
}

/** Opens a receiver that counts its webhooks by path, and replies slowly. */
async function openSlowReceiver(counts: Map<string, number>): Promise<Server> {
  let arrived = 0
  return await openReceiver((path, response) => {
    counts.set(path, (counts.get(path) ?? 0) + 1)
    arrived += 1
    setTimeout(() => response.end(), slowReply / 2 + ((arrived * 37) % slowReply))
  })
}

/** Subscribes an account many times and creates messages, one webhook for each of both. */
async function createBacklog(
  port: number,
  sinks: readonly Server[],
  number: number,
): Promise<void> {
  const token = getNeighborToken(number)
  for (let nth = 0; nth < subscriptions; nth += 1) {
    const sink = sinks[nth % sinks.length] as Server
    await subscribe(port, token, sink, String(number))
  }
  for (const { bytes } of createSteps('form', token).slice(0, messages)) {
    await sendRequest(port, bytes)
  }
}
