import { type Bench, forEachConnection } from '../bench.js'
import { compare, formatRates, type Side } from '../compare.js'
import { repeatSteps } from '../load/actor.js'
import { createSteps, messagePath } from '../load/requests.js'
import type { Figure } from '../report/figure.js'
import type { RunningServer } from '../servers/children.js'
import { sendRequest } from '../servers/send-request.js'

/** Measures the creation of messages, each on the disk before its reply. */
export async function measureCreate({ options, children }: Bench): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const as of ['form', 'json'] as const) {
    const steps = createSteps(as)
    const directory = await children.seed({ sent: 900, due: 100 })
    const relay = await children.relay(directory, `create-${as}`)
    const reply = await sendRequest(relay.port, steps[0]?.bytes ?? '')
    const bare = await children.bare([[`POST ${messagePath}`, reply]])
    const result = await compare(options, createCreators(bare, as), createCreators(relay, as))
    await relay.stop()
    await bare.stop()
    children.remove(directory)
    figures.push({
      row: `create, ${as === 'json' ? 'JSON' : 'form'}`,
      value: result.ratio,
      unit: 'ratio',
      target: { least: 0.6 },
      latencies: result.latencies,
      note: formatRates(result),
    })
  }
  return figures
}

/** On each connection, messages are created one after the other. */
export function createCreators(server: RunningServer, as: 'form' | 'json' = 'form'): Side {
  const steps = createSteps(as)
  return { server, actors: () => forEachConnection(number => repeatSteps(steps, number * 50)) }
}
