import { compareOtherClient } from '../harness/latency.js'
import { formatRequest, openConnection } from '../harness/raw-connection.js'
import type { RelayProcess } from '../harness/relay-process.js'
import { limitFigure } from '../result.js'
import { runMany, type Scenario } from './scenario.js'

const clients = 200
const requests = 100
const mebibyte = 2 ** 20
/** Milliseconds for which the clients do not read. */
const duration = 8000

export const unreadReplies: Scenario = {
  name: 'unread',
  title: `${clients} clients pipeline ${requests} requests for the largest pages and do not read`,
  run: async world => {
    const relay = await world.startRelay()
    const client = await world.signIn(relay)
    const other = await world.signInOther(relay)
    // The largest text: characters of four bytes.
    const message = { destination: '+12025550123', message: '\u{1f600}'.repeat(1600) }
    await runMany(100, 8, async () => await client.get('POST', '/message', { message }))
    const filter = encodeURIComponent(JSON.stringify({ count: 100, filter: 'all' }))
    const line = `GET /api/1/message?filter=${filter}`
    await client.get('GET', `/message?filter=${filter}`)
    const idle = await relay.measure()
    const abuse = async (): Promise<number> => {
      await runMany(clients, 20, async () => {
        const { socket } = await openConnection(relay.port)
        world.onClose(() => socket.destroy())
        socket.pause()
        socket.write(formatRequest(line, client.token).repeat(requests))
      })
      return await measureHighest(relay, duration)
    }
    let highest = Number.NaN
    const others = await compareOtherClient(other, async () => {
      highest = await abuse()
    })
    const above = (highest - idle.resident) / mebibyte
    return [limitFigure('resident memory above idle', above, 'MiB', 300), ...others]
  },
}

/** The highest resident memory in so many milliseconds, in bytes. */
async function measureHighest(relay: RelayProcess, milliseconds: number): Promise<number> {
  const end = performance.now() + milliseconds
  let highest = 0
  while (performance.now() < end) {
    highest = Math.max(highest, (await relay.measure()).resident)
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  return highest
}
