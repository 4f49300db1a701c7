import { openConnection, type RawConnection, readStatuses } from '../harness/raw-connection.js'
import { limitFigure } from '../result.js'
import { runMany, type Scenario, type World } from './scenario.js'

/** What the relay allows one address. */
const perAddress = 1000
const total = 3000
const flood = 1200

export const connectionFloods: Scenario = {
  name: 'floods',
  title: `4 addresses open ${flood} connections each; ${perAddress} are allowed, ${total} in all`,
  run: async world => {
    const relay = await world.startRelay('--max-connections', String(total))
    // These keep their connections; the flood starts before the total is reached.
    const known = await world.signIn(relay, '127.0.0.9')
    const first = await openMany(world, relay.port, '127.0.0.2')
    const between = await known.call('GET', '/message')
    const stranger = await world.signIn(relay, '127.0.0.8')
    const rest = await Promise.all(
      ['127.0.0.3', '127.0.0.4', '127.0.0.5'].map(
        async address => await openMany(world, relay.port, address),
      ),
    )
    const after = await known.call('GET', '/message')
    const afterStranger = await stranger.call('GET', '/message')
    const refused = [first, ...rest].flatMap(({ refused: texts }) => texts)
    const open = [first, ...rest].reduce((sum, each) => sum + each.open, 0)
    const wrong = refused.filter(
      text => readStatuses(text)[0] !== 503 || !/^retry-after: \d+/im.test(text),
    )
    const served = [between, after, afterStranger].filter(({ status }) => status === 200)
    return [
      limitFigure('open connections of the first address', first.open, '', perAddress),
      limitFigure('open connections of all', open, '', total),
      limitFigure('refusals without 503 and Retry-After', wrong.length, '', 0),
      { what: 'refusals', value: refused.length, unit: '', limit: { min: 4 * flood - total } },
      {
        what: 'requests of other addresses served',
        value: served.length,
        unit: '',
        limit: { min: 3 },
      },
    ]
  },
}

/** Opens many connections; a refused one gets its reply and is closed, the others stay open. */
async function openMany(world: World, port: number, address: string) {
  const all: RawConnection[] = []
  // More at once than the kernel keeps for a server to accept (511) seem open only to the client.
  await runMany(flood, 100, async () => all.push(await openConnection(port, { address })))
  for (const { socket } of all) world.onClose(() => socket.destroy())
  const refused: string[] = []
  for (const { closed } of all) void closed.then(text => refused.push(text))
  // A refusal is sent at once: nothing arrives any more after a quiet second.
  for (let before = -1; before !== refused.length; ) {
    before = refused.length
    await new Promise(resolve => setTimeout(resolve, 1000))
  }
  return { open: flood - refused.length, refused: [...refused] }
}
