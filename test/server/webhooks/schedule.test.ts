import { expect, test } from 'vitest'
import type { SendWebhook } from '../../../src/server/webhooks/webhook-sender.js'
import { World } from './world.js'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

test('retries follow after 1 s, 5 s, 30 s, 2, 10 and 30 min, then hourly up to 72 h', async () => {
  const world = await World.open()
  const sent: { message: string; at: number }[] = []
  const send: SendWebhook = async ({ target }) => {
    const message = target.slice(target.indexOf('=') + 1)
    sent.push({ message, at: world.clock.now() })
    return { ok: message !== 'm1', status: 500 }
  }
  const subscription = await world.subscribe('http://h/', { onExhausted: 'skip' })
  const dispatcher = await world.dispatch({ send })
  await world.record(['m1', 'm2', 'm3'])
  await dispatcher.idle()
  while (world.clock.pending > 0) {
    expect(world.clock.pending).toBe(1)
    world.clock.next()
    await dispatcher.idle()
  }
  const tries = sent.filter(request => request.message === 'm1').map(request => request.at)
  const waits = tries.slice(1).map((at, index) => at - (tries[index] ?? 0))
  expect(waits.slice(0, 7)).toEqual([
    second,
    5 * second,
    30 * second,
    2 * minute,
    10 * minute,
    30 * minute,
    hour,
  ])
  expect(new Set(waits.slice(7))).toEqual(new Set([hour]))
  const span = (tries.at(-1) ?? 0) - (tries[0] ?? 0)
  expect(span).toBeLessThanOrEqual(72 * hour)
  expect(span + hour).toBeGreaterThan(72 * hour)
  expect(sent.slice(-3).map(request => request.message)).toEqual(['m1', 'm2', 'm3'])
  expect(await world.read(subscription)).toMatchObject({ triggered: 3 })
})

test('a clock that is set back delays a retry by at most an hour', async () => {
  const world = await World.open()
  let back = 0
  const sent: string[] = []
  const send: SendWebhook = async request => {
    sent.push(request.target)
    return { ok: sent.length > 1, status: 500 }
  }
  await world.subscribe('http://h/')
  const dispatcher = await world.dispatch({
    send,
    clock: { ...world.clock, now: () => world.clock.now() - back },
  })
  await world.record(['m1', 'm2'])
  await dispatcher.idle()
  back = 240 * hour
  await world.record(['m3'])
  await dispatcher.idle()
  back = 0
  world.clock.advance(hour)
  await dispatcher.idle()
  expect(sent).toHaveLength(4)
})
