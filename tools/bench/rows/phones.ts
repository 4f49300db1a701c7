import { type Bench, forEachConnection } from '../bench.js'
import { compare, rates, type Side } from '../compare.js'
import type { Actor } from '../load/actor.js'
import {
  creations,
  messagePath,
  nextStandIn,
  type PhoneOptions,
  phone,
  request,
} from '../load/requests.js'
import type { Figure } from '../report/figure.js'
import { phoneToken } from '../servers/accounts.js'
import { ask } from '../servers/ask.js'
import type { Running } from '../servers/children.js'

/** More than any relay returns. */
const messagesPerSecond = 10_000

/** Number of due messages that is enough for a row. */
export function enoughFor(seconds: number): number {
  return Math.ceil(messagesPerSecond * (seconds + 1))
}

/** Each connection is a phone with its own token. */
export function phonesOn(server: Running, options: PhoneOptions = {}): Side {
  return { server, actors: () => forEachConnection(number => phone(number, options)) }
}

/** Measures NEXT and success. */
export async function next({ options, children }: Bench): Promise<Figure[]> {
  const due = enoughFor((options.rounds + 1) * options.seconds)
  const directory = await children.seed({ sent: 1000, due })
  const relay = await children.relay(directory, 'next')
  const token = phoneToken(0)
  const given = await ask(relay.port, request('NEXT', messagePath, token))
  const { id } = (JSON.parse(given) as { message: { id: string } }).message
  const success = `${messagePath}/${id}/success`
  const body = { type: 'application/json', text: '{"parts":1}' }
  const reported = await ask(relay.port, request('PUT', success, token, body))
  const bare = await children.bare([
    [`GET ${nextStandIn}`, given],
    [`PUT ${success}`, reported],
  ])
  const result = await compare(options, phonesOn(bare, { bare: true }), phonesOn(relay))
  await relay.stop()
  await bare.stop()
  children.remove(directory)
  return [
    {
      ...{ row: 'NEXT + success, per request', value: result.ratio, unit: 'ratio' },
      target: { least: 0.6 },
      latencies: result.latencies,
      note: rates(result),
    },
  ]
}

/** Number of unfinished messages: enough for every phone, too few for a long queue. */
const mostUnderWay = 128

/** Measures create, NEXT and success at the same time. */
export async function flow({ options, children }: Bench): Promise<Figure[]> {
  const directory = await children.seed({ sent: 1000 })
  const relay = await children.relay(directory, 'flow')
  const bare = await children.bare([['GET /', '{}']])
  const ping = { name: 'fixed', bytes: request('GET', '/', phoneToken(0)) }
  const fixed: Side = {
    server: bare,
    actors: () => forEachConnection(() => ({ readsBody: false, next: () => ping })),
  }
  const result = await compare(options, fixed, {
    server: relay,
    actors: throughput,
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
      note: rates(result),
    },
  ]
}

/** As many creators as phones; a creator waits while enough messages are unfinished. */
function throughput(): Actor[] {
  const steps = creations('form')
  const waiting: (() => void)[] = []
  let underWay = 0
  let at = 0
  const creator = (): Actor => {
    let wake = (): void => {}
    return {
      readsBody: false,
      attach: woken => {
        wake = woken
      },
      next: () => {
        if (underWay >= mostUnderWay) {
          waiting.push(wake)
          return undefined
        }
        underWay += 1
        at = (at + 1) % steps.length
        return steps[at]
      },
    }
  }
  const onDone = (): void => {
    underWay -= 1
    waiting.shift()?.()
  }
  const phones = forEachConnection(number => phone(number, { waits: true, onDone }))
  return [...forEachConnection(creator), ...phones]
}
