import { createServer } from 'node:http'
import { listenOnLoopback } from '../../ports/listen-on-loopback.js'
import { compareOtherClient } from '../harness/latency.js'
import { limitFigure } from '../result.js'
import { runMany, type Scenario } from './scenario.js'

const count = 3000
const messages = 3

export const manySubscriptions: Scenario = {
  name: 'subscriptions',
  title: `${count} subscriptions of one account: created, ${messages} events, lists, removed`,
  run: async world => {
    const relay = await world.startRelay('--max-subscriptions', String(count))
    const client = await world.signIn(relay)
    const other = await world.signInOther(relay)
    const receiver = createServer((_, response) => response.writeHead(204).end())
    world.onClose(() => {
      receiver.close()
      receiver.closeAllConnections()
    })
    const url = `http://127.0.0.1:${await listenOnLoopback(receiver)}/`
    await relay.measure()
    const ids: string[] = []
    const work = async (): Promise<void> => {
      await runMany(count, 16, async () => {
        const made = await client.get('POST', '/subscription', { event: 'message.create', url })
        ids.push((made as { subscription: { id: string } }).subscription.id)
      })
      for (let number = 0; number < messages; number += 1) {
        const draft = { destination: '+12025550123', message: 'hello' }
        await client.get('POST', '/message', { message: draft })
        await client.get('GET', '/subscription')
        await client.get('GET', '/event')
      }
      await runMany(count, 16, async number => {
        await client.call('PUT', `/subscription/${ids[number]}/resume`, {})
        await client.call('DELETE', `/subscription/${ids[number]}`)
      })
    }
    const others = await compareOtherClient(other, work)
    const { elapsed, computed } = await relay.measure()
    return [
      limitFigure('longest turn of the event loop', computed, 'ms', 20),
      { what: 'the same, with waits for the machine', value: elapsed, unit: 'ms' },
      ...others,
    ]
  },
}
