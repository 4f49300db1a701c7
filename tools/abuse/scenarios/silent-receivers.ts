import { createServer } from 'node:net'
import { listenOnLoopback } from '../../ports/listen-on-loopback.js'
import { WebhookTimer } from '../harness/webhook-timer.js'
import { limitFigure } from '../result.js'
import { runMany, type Scenario } from './scenario.js'

const count = 100
const messages = 20
const events = 300

export const silentReceivers: Scenario = {
  name: 'receivers',
  title: `${count} subscriptions with ${messages} events each to receivers that never answer`,
  run: async world => {
    const relay = await world.startRelay()
    const client = await world.signIn(relay)
    const timer = new WebhookTimer(await world.signInOther(relay))
    world.onClose(() => timer.close())
    await timer.open()
    await timer.measureP99(50)
    const idle = await timer.measureP99(events)
    const silent = createServer(socket => {
      socket.on('error', () => {}).resume()
      world.onClose(() => socket.destroy())
    })
    world.onClose(() => silent.close())
    const url = `http://127.0.0.1:${await listenOnLoopback(silent)}/`
    await runMany(count, 8, async () => {
      await client.get('POST', '/subscription', { event: 'message.create', url, window: 32 })
    })
    await runMany(messages, 4, async () => {
      const draft = { destination: '+12025550123', message: 'hello' }
      await client.get('POST', '/message', { message: draft })
    })
    const p99 = await timer.measureP99(events)
    return [
      { what: 'p99 of event → webhook of another account, idle', value: idle, unit: 'ms' },
      limitFigure('the same during the abuse, above idle', p99 - idle, 'ms', 50),
    ]
  },
}
