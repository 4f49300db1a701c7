import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Bench } from '../bench.js'
import { createSteps, formatRequest } from '../load/requests.js'
import type { Figure } from '../report/figure.js'
import { apiToken } from '../servers/accounts.js'
import { sendRequest } from '../servers/send-request.js'

const roundTrip = 20
const webhooks = 100
const wide = 16

/** Measures webhooks a second with a window of 16 and of 1; the receiver answers after 20 ms. */
export async function measureWindow({ children }: Bench): Promise<Figure[]> {
  const directory = await children.seed({ sent: 1000 })
  const relay = await children.relay(directory, 'window')
  const sink = createServer((received, response) => {
    received.resume()
    setTimeout(() => response.end(() => sink.emit('webhook')), roundTrip)
  })
  sink.listen(0, '127.0.0.1')
  await once(sink, 'listening')
  const one = await measureRate(relay.port, sink, 1)
  const many = await measureRate(relay.port, sink, wide)
  sink.close()
  sink.closeAllConnections()
  await relay.stop()
  children.remove(directory)
  return [
    {
      ...{ row: 'webhooks, window 16 to window 1', value: many / one, unit: 'ratio' as const },
      target: { least: 12 },
      note: `${Math.round(many)} and ${Math.round(one)} a second, replies after ${roundTrip} ms`,
    },
  ]
}

/** Holds back events in a paused subscription, resumes it, and measures webhooks a second. */
async function measureRate(relay: number, sink: Server, window: number): Promise<number> {
  const call = async (method: string, path: string, fields: object): Promise<string> => {
    const body = { type: 'application/json', text: JSON.stringify(fields) }
    return await sendRequest(relay, formatRequest(method, `/api/1${path}`, apiToken, body))
  }
  const count = webhooks * window
  const { port } = sink.address() as AddressInfo
  const fields = { event: 'message.create', url: `http://127.0.0.1:${port}/`, window }
  const created = await call('POST', '/subscription', fields)
  const path = `/subscription/${/"id":"([^"]+)"/.exec(created)?.[1]}`
  await call('PUT', `${path}/pause`, {})
  const steps = createSteps('form')
  for (let nth = 0; nth < count; nth += 1) {
    await sendRequest(relay, steps[nth % steps.length]?.bytes ?? '')
  }
  const from = performance.now()
  let left = count
  const all = new Promise<void>(resolve => {
    sink.on('webhook', () => {
      left -= 1
      if (left === 0) resolve()
    })
  })
  await call('PUT', `${path}/resume`, {})
  await all
  const rate = (count * 1000) / (performance.now() - from)
  sink.removeAllListeners('webhook')
  await call('DELETE', path, {})
  return rate
}
