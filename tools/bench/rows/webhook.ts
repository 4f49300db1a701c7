import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Bench } from '../bench.js'
import { Histogram } from '../load/histogram.js'
import { createSteps, formatRequest } from '../load/requests.js'
import type { Figure } from '../report/figure.js'
import { apiToken } from '../servers/accounts.js'
import { sendRequest } from '../servers/send-request.js'

const webhooks = 300
/** Milliseconds. */
const pauseBetween = 5
const timeLimit = 20_000

/** Measures the time from a request to the webhook of its event, one at a time. */
export async function measureWebhook({ options, children }: Bench): Promise<Figure[]> {
  const directory = await children.seed({ sent: 1000 })
  const relay = await children.relay(directory, 'webhook')
  const latencies = await measureWebhooks(relay.port, options.seconds)
  await relay.stop()
  children.remove(directory)
  const value = latencies.quantile(0.5)
  return [
    {
      ...{ row: 'event to webhook when idle, p50', value, unit: 'ms', target: { most: 10 } },
      latencies,
      note: 'from the request that causes it',
    },
  ]
}

/** Measures the time from requests to their webhooks with a receiver of its own. */
export async function measureWebhooks(port: number, seconds: number): Promise<Histogram> {
  const sink = await openReceiver((_, response) => response.end())
  await subscribe(port, apiToken, sink)
  const latencies = await measureLatency(port, sink, Math.ceil(webhooks * Math.min(1, seconds)))
  sink.close()
  sink.closeAllConnections()
  return latencies
}

/** Opens a receiver of webhooks, which emits `webhook` with the time of each. */
export async function openReceiver(
  reply: (path: string, response: ServerResponse) => void,
): Promise<Server> {
  const sink = createServer((received, response) => {
    received.resume()
    reply(received.url ?? '', response)
    sink.emit('webhook', performance.now())
  })
  sink.listen(0, '127.0.0.1')
  await once(sink, 'listening')
  return sink
}

export async function subscribe(
  port: number,
  token: string,
  sink: Server,
  path = '',
): Promise<void> {
  const url = `http://127.0.0.1:${(sink.address() as AddressInfo).port}/${path}`
  const subscription = { event: 'message.create', url, post: true }
  const body = { type: 'application/json', text: JSON.stringify(subscription) }
  await sendRequest(port, formatRequest('POST', '/api/1/subscription', token, body))
}

/** Sends so many requests one at a time, and measures each until its webhook. */
export async function measureLatency(
  port: number,
  sink: Server,
  count: number,
): Promise<Histogram> {
  const latencies = new Histogram()
  for (const { bytes } of createSteps('form').slice(0, count)) {
    const arrival = once(sink, 'webhook', { signal: AbortSignal.timeout(timeLimit) })
    const from = performance.now()
    await sendRequest(port, bytes)
    const [at] = (await arrival) as [number]
    latencies.add(at - from)
    await new Promise(resolve => setTimeout(resolve, pauseBetween))
  }
  return latencies
}
