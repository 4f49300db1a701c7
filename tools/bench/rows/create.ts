import { type Bench, forEachConnection } from '../bench.js'
import { compare, rates, type Side } from '../compare.js'
import { repeating } from '../load/actor.js'
import { creations, messagePath } from '../load/requests.js'
import type { Figure } from '../report/figure.js'
import { ask } from '../servers/ask.js'
import type { Running } from '../servers/children.js'

/** Measures the creation of messages, each on the disk before its reply. */
export async function create({ options, children }: Bench): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const as of ['form', 'json'] as const) {
    const steps = creations(as)
    const directory = await children.seed({ sent: 900, due: 100 })
    const relay = await children.relay(directory, `create-${as}`)
    const reply = await ask(relay.port, steps[0]?.bytes ?? '')
    const bare = await children.bare([[`POST ${messagePath}`, reply]])
    const result = await compare(options, creators(bare, as), creators(relay, as))
    await relay.stop()
    await bare.stop()
    children.remove(directory)
    figures.push({
      row: `create, ${as === 'json' ? 'JSON' : 'form'}`,
      value: result.ratio,
      unit: 'ratio',
      target: { least: 0.6 },
      latencies: result.latencies,
      note: rates(result),
    })
  }
  return figures
}

/** On each connection, messages are created one after the other. */
export function creators(server: Running, as: 'form' | 'json' = 'form'): Side {
  const steps = creations(as)
  return { server, actors: () => forEachConnection(number => repeating(steps, number * 50)) }
}
