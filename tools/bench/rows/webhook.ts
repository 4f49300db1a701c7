import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Bench } from '../bench.js'
import { Histogram } from '../load/histogram.js'
import { createSteps, formatRequest } from '../load/requests.js'
import type { Figure } from '../report/figure.js'
import { apiToken } from '../servers/accounts.js'
import { sendRequest } from '../servers/send-request.js'

const webhooks = 300
const pauseBetween = 5
const timeLimit = 5000

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

/** Sends requests one at a time, and measures each until its webhook. */
export async function measureWebhooks(port: number, seconds: number): Promise<Histogram> {
  const sink = createServer((received, response) => {
    received.resume()
    response.end()
    sink.emit('webhook', performance.now())
  })
  sink.listen(0, '127.0.0.1')
  await once(sink, 'listening')
  await subscribe(port, (sink.address() as AddressInfo).port)
  const latencies = new Histogram()
  const steps = createSteps('form').slice(0, Math.ceil(webhooks * Math.min(1, seconds)))
  for (const { bytes } of steps) {
    const arrival = once(sink, 'webhook', { signal: AbortSignal.timeout(timeLimit) })
    const from = performance.now()
    await sendRequest(port, bytes)
    const [at] = (await arrival) as [number]
    latencies.add(at - from)
    await new Promise(resolve => setTimeout(resolve, pauseBetween))
  }
  sink.close()
  sink.closeAllConnections()
  return latencies
}

async function subscribe(port: number, sink: number): Promise<void> {
  const subscription = { event: 'message.create', url: `http://127.0.0.1:${sink}/`, post: true }
  const body = { type: 'application/json', text: JSON.stringify(subscription) }
  await sendRequest(port, formatRequest('POST', '/api/1/subscription', apiToken, body))
}
