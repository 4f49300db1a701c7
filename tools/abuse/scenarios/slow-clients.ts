import { compareOtherClient } from '../harness/latency.js'
import { formatRequest, openConnection, type RawConnection } from '../harness/raw-connection.js'
import type { Figure } from '../result.js'
import { limitFigure } from '../result.js'
import type { Scenario, World } from './scenario.js'

const clients = 200
/** Milliseconds between two bytes. */
const pause = 500

export const slowClients: Scenario = {
  name: 'slow',
  title: `${clients} clients send a head, ${clients} others a body, with 2 bytes a second`,
  run: async world => {
    const relay = await world.startRelay()
    const other = await world.signInOther(relay)
    const { token } = await world.signIn(relay)
    const whole = formatRequest('POST /api/1/message', token, { body: '{'.repeat(4096) })
    const head = whole.slice(0, whole.indexOf('\r\n') + 2)
    const body = whole.slice(0, whole.indexOf('{'))
    const ends: [part: string, ends: End[]][] = []
    const others = await compareOtherClient(other, async () => {
      const work = [sendSlowly(world, relay.port, head), sendSlowly(world, relay.port, body)]
      const [heads = [], bodies = []] = await Promise.all(work)
      ends.push(['head', heads], ['body', bodies])
    })
    return [...ends.flatMap(([part, all]) => toFigures(part, all)), ...others]
  },
}

interface End {
  readonly after: number
  readonly received: string
}

/** Resolves to when and how the relay ended each connection. */
async function sendSlowly(world: World, port: number, start: string): Promise<End[]> {
  const connections = await Promise.all(
    Array.from({ length: clients }, async () => await openConnection(port)),
  )
  return await Promise.all(connections.map(each => drip(world, each, start)))
}

async function drip(world: World, connection: RawConnection, start: string): Promise<End> {
  const { socket, closed } = connection
  const from = performance.now()
  socket.write(start)
  const timer = setInterval(() => socket.write('x'), pause)
  world.onClose(() => clearInterval(timer))
  const received = await closed
  clearInterval(timer)
  return { after: performance.now() - from, received }
}

function toFigures(part: string, ends: readonly End[]): Figure[] {
  const longest = Math.max(...ends.map(({ after }) => after)) / 1000
  const unanswered = ends.filter(({ received }) => !received.startsWith('HTTP/1.1 408 ')).length
  return [
    limitFigure(`longest time of a slow ${part}`, longest, 's', 13),
    limitFigure(`slow ${part === 'head' ? 'heads' : 'bodies'} without 408`, unanswered, '', 0),
  ]
}
