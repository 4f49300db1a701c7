import { formatRequest, openConnection, readStatuses } from '../harness/raw-connection.js'
import { limitFigure } from '../result.js'
import { runMany, type Scenario } from './scenario.js'

const rounds = 100

export const halfClosed: Scenario = {
  name: 'half-closed',
  title: `${rounds} clients half-close after a POST, a NEXT, a page, a part of a POST`,
  run: async world => {
    const relay = await world.startRelay()
    const client = await world.signIn(relay)
    const phone = await world.openClient(relay).signIn(relay.owner, true)
    const send = async (text: string): Promise<number> => {
      const { socket, closed } = await openConnection(relay.port, { allowHalfOpen: true })
      socket.end(text)
      return readStatuses(await closed)[0] ?? 0
    }
    const body = JSON.stringify({ message: { destination: '+12025550123', message: 'hello' } })
    const post = formatRequest('POST /api/1/message', client.token, { body })
    let [unanswered, effects] = [0, 0]
    await runMany(rounds, 20, async () => {
      const statuses = [
        await send(post),
        await send(formatRequest('GET /api/1/message', client.token)),
        await send(formatRequest('NEXT /api/1/message', phone.token)),
      ]
      unanswered += statuses.filter(status => status !== 200).length
      await send(post.slice(0, world.random.below(post.length - 1) + 1))
    })
    const filter = encodeURIComponent(JSON.stringify({ filter: 'all', start: rounds }))
    const beyond = (await client.get('GET', `/message?filter=${filter}`)) as { messages: object[] }
    effects = beyond.messages.length
    return [
      limitFigure('complete requests without 200', unanswered, '', 0),
      limitFigure('incomplete requests with an effect', effects, '', 0),
    ]
  },
}
