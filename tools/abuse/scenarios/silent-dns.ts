import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { WebhookTimer } from '../harness/webhook-timer.js'
import { limitFigure } from '../result.js'
import { runMany, type Scenario } from './scenario.js'

const count = 100
const events = 300

export const silentDns: Scenario = {
  name: 'dns',
  title: `${2 * count} subscriptions of two accounts to names of a DNS server that never answers`,
  run: async world => {
    const server = createSocket('udp4').on('message', () => {})
    world.onClose(() => server.close())
    server.bind(0, '127.0.0.1')
    await once(server, 'listening')
    const relay = await world.startRelay('--dns-server', `127.0.0.1:${server.address().port}`)
    const clients = [await world.signIn(relay), await world.signInOther(relay)]
    const timer = new WebhookTimer(await world.signInOther(relay))
    world.onClose(() => timer.close())
    await timer.open()
    await timer.measureP99(50)
    const idle = await timer.measureP99(events)
    for (const [index, client] of clients.entries()) {
      await runMany(count, 8, async number => {
        const url = `http://silent-${index}-${number}.example.com/`
        await client.get('POST', '/subscription', { event: 'message.create', url })
      })
      const draft = { destination: '+12025550123', message: 'hello' }
      await client.get('POST', '/message', { message: draft })
    }
    const p99 = await timer.measureP99(events)
    return [
      { what: 'p99 of event → webhook of another account, idle', value: idle, unit: 'ms' },
      limitFigure('the same during the abuse, above idle', p99 - idle, 'ms', 50),
    ]
  },
}
