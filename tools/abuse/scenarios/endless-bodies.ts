import { setTimeout as sleep } from 'node:timers/promises'
import { compareOtherClient } from '../harness/latency.js'
import { formatRequest, openConnection, readStatuses } from '../harness/raw-connection.js'
import { limitFigure } from '../result.js'
import { runMany, type Scenario } from './scenario.js'

const clients = 60
const addresses = 4
/** Bytes of the largest batch. */
const size = 8 * 1024 * 1024
/** Milliseconds between two clients, between a refusal and the next try, and of all. */
const [stagger, pause, duration] = [100, 2000, 10_000]

export const endlessBodies: Scenario = {
  name: 'endless',
  title: `${clients} clients of one account send batches of 8 MiB whose last byte never comes`,
  run: async world => {
    const relay = await world.startRelay()
    const { token } = await world.signIn(relay)
    const other = await world.signInOther(relay)
    const idle = (await relay.measure()).resident
    const request = Buffer.from(
      formatRequest('POST /api/1/message/batch', token, { body: `[${' '.repeat(size - 1)}` }),
    ).subarray(0, -1)
    const end = performance.now() + duration
    let [highest, wrong, served, refusals] = [0, 0, 0, 0]
    const send = async (number: number): Promise<void> => {
      const address = `127.0.0.${2 + (number % addresses)}`
      await sleep(number * stagger)
      while (performance.now() < end) {
        const { socket, closed } = await openConnection(relay.port, { address })
        world.onClose(() => socket.destroy())
        socket.write(request)
        const left = sleep(Math.max(0, end - performance.now()), undefined)
        const received = await Promise.race([closed, left])
        if (received === undefined) return
        refusals += 1
        if (readStatuses(received)[0] !== 503 || !/^retry-after: \d+/im.test(received)) wrong += 1
        await sleep(pause)
      }
    }
    const watch = async (): Promise<void> => {
      while (performance.now() < end) {
        highest = Math.max(highest, (await relay.measure()).resident)
        const message = { destination: '+12025550123', message: 'a'.repeat(1600) }
        const batch = Array.from({ length: 50 }, () => message)
        if ((await other.call('POST', '/message/batch', batch)).status === 200) served += 1
        await sleep(200)
      }
    }
    const others = await compareOtherClient(other, async () => {
      await Promise.all([runMany(clients, clients, send), watch()])
    })
    return [
      limitFigure('resident memory above idle', (highest - idle) / 1024 ** 2, 'MiB', 150),
      { what: 'refusals', value: refusals, unit: '', limit: { min: clients - addresses } },
      limitFigure('refusals without 503 and Retry-After', wrong, '', 0),
      { what: 'batches of another account', value: served, unit: '', limit: { min: 5 } },
      ...others,
    ]
  },
}
