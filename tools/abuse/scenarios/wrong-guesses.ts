import { limitFigure } from '../result.js'
import { runMany, type Scenario } from './scenario.js'

const guesses = 1000

export const wrongGuesses: Scenario = {
  name: 'guesses',
  title: `${guesses} wrong secret URLs and ${guesses} wrong keys, while the right ones work`,
  run: async world => {
    const relay = await world.startRelay()
    const guesser = world.openClient(relay, '127.0.0.2')
    const owner = await world.signIn(relay)
    const made = (await owner.get('POST', '/url', { destination: '+12025550123' })) as {
      url: { url: string }
    }
    const path = new URL(made.url.url).pathname
    // An account that signed in from the guesser's address before.
    const neighbour = await relay.createAccount('neighbour@example.com')
    await world.openClient(relay, '127.0.0.2').signIn(neighbour)
    let [rightFailed, slowed, accepted] = [0, 0, 0]
    const count = (status: number): void => {
      if (status === 429) slowed += 1
      if (status === 200) accepted += 1
    }
    await runMany(guesses, 16, async number => {
      const wrong = `/u/sru_${String(world.random.below(10 ** 9)).padStart(43, '0')}?text=x`
      count((await guesser.send('GET', wrong, {})).status)
      const login = Buffer.from(`${relay.owner.secret_key}:wrong-${number}`).toString('base64')
      count((await guesser.send('GET', '/oauth', { authorization: `Basic ${login}` })).status)
      if (number % 20 !== 0) return
      const text = `${path}?message=${number}`
      const replies = [
        (await world.openClient(relay, '127.0.0.2').send('GET', text, {})).status,
        (await owner.call('GET', '/user')).status,
        await world
          .openClient(relay, '127.0.0.2')
          .signIn(neighbour)
          .then(
            () => 200,
            () => 401,
          ),
        await world
          .openClient(relay, '127.0.0.3')
          .signIn(relay.owner)
          .then(
            () => 200,
            () => 401,
          ),
      ]
      rightFailed += replies.filter(status => status !== 200).length
    })
    return [
      limitFigure('right secret URLs and keys refused', rightFailed, '', 0),
      limitFigure('wrong ones accepted', accepted, '', 0),
      { what: 'wrong ones that got 429', value: slowed, unit: '', limit: { min: guesses * 1.9 } },
    ]
  },
}
