import { compareOtherClient } from '../harness/latency.js'
import { limitFigure } from '../result.js'
import { runMany, type Scenario } from './scenario.js'

const tokens = 3000
const records = 1500
const limit = 1000

export const recordFloods: Scenario = {
  name: 'records',
  title: `${tokens} tokens of one key, and ${records} templates, groups and secret URLs each`,
  run: async world => {
    const relay = await world.startRelay()
    const client = await world.signIn(relay)
    const other = await world.signInOther(relay)
    await relay.measure()
    let [created, odd] = [0, 0]
    const create = async (path: string, fields: object): Promise<void> => {
      const { status } = await client.call('POST', path, fields)
      if (status === 200) created += 1
      else if (status !== 409) odd += 1
    }
    const others = await compareOtherClient(other, async () => {
      await runMany(records, 16, async number => {
        await create('/template', { name: `T${number}`, text: 'Hello' })
        await create('/group', { name: `G${number}` })
        await create('/url', { name: `U${number}` })
      })
      await runMany(tokens, 16, async () => {
        const one = world.openClient(relay)
        await one.signIn(relay.owner)
        one.close()
      })
    })
    const { computed } = await relay.measure()
    // The oldest tokens have ended, the client's own too.
    await client.signIn(relay.owner)
    const { limits } = (await client.get('GET', '/user/limits')) as {
      limits: Record<string, { used: number }>
    }
    return [
      limitFigure('records stored', created, '', 3 * limit),
      limitFigure('tokens stored', limits.tokens?.used ?? Number.NaN, '', limit),
      limitFigure('replies but 200 and 409', odd, '', 0),
      limitFigure('longest turn of the event loop', computed, 'ms', 20),
      ...others,
    ]
  },
}
