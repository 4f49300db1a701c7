import { type Bench, connections, forEachConnection } from '../bench.js'
import { compare, formatRates, type Side } from '../compare.js'
import { createFlowActors } from '../load/flow.js'
import {
  createPhone,
  formatRequest,
  messagePath,
  nextStandIn,
  type PhoneOptions,
} from '../load/requests.js'
import type { Figure } from '../report/figure.js'
import { getPhoneToken } from '../servers/accounts.js'
import type { RunningServer } from '../servers/children.js'
import { sendRequest } from '../servers/send-request.js'

/** More than any relay returns. */
const messagesPerSecond = 30_000

/** Number of due messages that is enough for a row. */
export function countDueMessages(seconds: number): number {
  return Math.ceil(messagesPerSecond * (seconds + 1))
}

/** Each connection is a phone with its own token. */
export function createPhones(server: RunningServer, options: PhoneOptions = {}): Side {
  return { server, actors: () => forEachConnection(number => createPhone(number, options)) }
}

/** Measures NEXT and success. */
export async function measureNext({ options, children }: Bench): Promise<Figure[]> {
  const due = countDueMessages((options.rounds + 1) * options.seconds)
  const directory = await children.seed({ sent: 1000, due })
  const relay = await children.relay(directory, 'next')
  const token = getPhoneToken(0)
  const given = await sendRequest(relay.port, formatRequest('NEXT', messagePath, token))
  const { id } = (JSON.parse(given) as { message: { id: string } }).message
  const success = `${messagePath}/${id}/success`
  const body = { type: 'application/json', text: '{"parts":1}' }
  const reported = await sendRequest(relay.port, formatRequest('PUT', success, token, body))
  const bare = await children.bare([
    [`GET ${nextStandIn}`, given],
    [`PUT ${success}`, reported],
  ])
  const result = await compare(options, createPhones(bare, { bare: true }), createPhones(relay))
  await relay.stop()
  await bare.stop()
  children.remove(directory)
  return [
    {
      ...{ row: 'NEXT + success, per request', value: result.ratio, unit: 'ratio' },
      target: { least: 0.6 },
      latencies: result.latencies,
      note: formatRates(result),
    },
  ]
}

/** Measures create, NEXT and success at the same time. */
export async function measureFlow({ options, children }: Bench): Promise<Figure[]> {
  const directory = await children.seed({ sent: 1000 })
  const relay = await children.relay(directory, 'flow')
  const bare = await children.bare([['GET /', '{}']])
  const ping = { name: 'fixed', bytes: formatRequest('GET', '/', getPhoneToken(0)) }
  const fixed: Side = {
    server: bare,
    actors: () => forEachConnection(() => ({ readsBody: false, next: () => ping })),
  }
  const result = await compare(options, fixed, {
    server: relay,
    actors: () => createFlowActors({ pairs: connections }),
    name: 'success',
  })
  await relay.stop()
  await bare.stop()
  children.remove(directory)
  return [
    {
      ...{ row: 'create → NEXT → success, messages', value: result.ratio, unit: 'ratio' },
      target: { least: 0.15 },
      latencies: result.latencies,
      note: formatRates(result),
    },
  ]
}
