import { compareOtherClient } from '../harness/latency.js'
import { limitFigure } from '../result.js'
import { runMany, type Scenario } from './scenario.js'

const texts = 2000
const senders = 200

export const keywordStorm: Scenario = {
  name: 'keywords',
  title: `${texts} keywords (STOP, START, HELP) from ${senders} numbers with waiting messages`,
  run: async world => {
    const relay = await world.startRelay()
    const client = await world.signIn(relay)
    const phone = await world.openClient(relay).signIn(relay.owner, true)
    const other = await world.signInOther(relay)
    const getNumber = (number: number): string => `+1202555${2000 + (number % senders)}`
    await runMany(senders * 5, 16, async number => {
      const draft = { destination: getNumber(number), message: 'hello' }
      await client.get('POST', '/message', { message: draft })
    })
    await relay.measure()
    let failed = 0
    const report = async (): Promise<void> => {
      const message = ['STOP', 'START', 'HELP'][world.random.below(3)]
      const from = getNumber(world.random.below(senders))
      const { status } = await phone.call('POST', '/message/received', { from, message })
      if (status !== 200) failed += 1
    }
    const others = await compareOtherClient(other, async () => await runMany(texts, 16, report))
    const { computed } = await relay.measure()
    return [
      limitFigure('reports that failed', failed, '', 0),
      limitFigure('longest turn of the event loop', computed, 'ms', 20),
      ...others,
    ]
  },
}
