import { expect, test } from 'vitest'
import type { SendWebhook } from '../../../../src/server/webhooks/webhook-sender.js'
import { Metrics } from '../../../../src/util/collections/metrics.js'
import { names, World } from '../world.js'

/** Sends nothing; counts the webhooks in flight and those that start in one turn. */
function countWebhooks(endAfterTurns: number) {
  const counts = { sent: 0, inFlight: 0, maxInFlight: 0, maxPerTurn: 0 }
  let thisTurn = 0
  const send: SendWebhook = async () => {
    counts.sent += 1
    counts.inFlight += 1
    counts.maxInFlight = Math.max(counts.maxInFlight, counts.inFlight)
    if (thisTurn === 0) {
      setImmediate(() => {
        thisTurn = 0
      })
    }
    thisTurn += 1
    counts.maxPerTurn = Math.max(counts.maxPerTurn, thisTurn)
    for (let turn = 0; turn < endAfterTurns; turn += 1) {
      await new Promise(resolve => setImmediate(resolve))
    }
    counts.inFlight -= 1
    return { ok: true, status: 204 }
  }
  return { counts, send }
}

test('an event of 1,000 subscriptions starts a few webhooks a turn, and 64 at once', async () => {
  const world = await World.open()
  const subscriptions = await Promise.all(
    names('s', 1000).map(name => world.subscribe(`http://${name}/`)),
  )
  const { counts, send } = countWebhooks(50)
  const dispatcher = await world.dispatch({ send })
  await dispatcher.idle()
  await world.record(['m1'])
  await dispatcher.idle()
  expect(counts).toMatchObject({ sent: 1000, maxInFlight: 64, maxPerTurn: 16 })
  for (const subscription of subscriptions) {
    expect(await world.read(subscription)).toMatchObject({ cursor: 1, triggered: 1 })
  }
})

test('an event that is recorded while the workers are woken reaches all of them', async () => {
  const world = await World.open()
  const subscriptions = await Promise.all(
    names('s', 300).map(name => world.subscribe(`http://${name}/`)),
  )
  const { counts, send } = countWebhooks(1)
  const dispatcher = await world.dispatch({ send })
  for (const message of names('m', 5)) await world.record([message])
  await dispatcher.idle()
  expect(counts.sent).toBe(1500)
  for (const subscription of subscriptions) {
    expect(await world.read(subscription)).toMatchObject({ cursor: 5 })
  }
})

test('at most 16 webhooks of an account are in flight to one host', async () => {
  const world = await World.open()
  for (const path of names('p', 50)) await world.subscribe(`http://host:80/${path}`)
  const { counts, send } = countWebhooks(20)
  const dispatcher = await world.dispatch({ send })
  await world.record(['m1'])
  await dispatcher.idle()
  expect(counts).toMatchObject({ sent: 50, maxInFlight: 16 })
})

test('a pause takes effect on a webhook that waits for a slot', async () => {
  const world = await World.open()
  const limits = { inFlight: 1, inFlightPerAccount: 1, inFlightPerHost: 1 }
  const sent: string[] = []
  const [isSent, reply] = [createSignal(), createSignal()]
  const send: SendWebhook = async ({ url }) => {
    sent.push(new URL(url).host)
    isSent.resolve()
    await reply.promise
    return { ok: true, status: 204 }
  }
  const subscriptions = [await world.subscribe('http://one/'), await world.subscribe('http://two/')]
  const dispatcher = await world.dispatch({ send, limits })
  await world.record(['m1'])
  await isSent.promise
  for (const subscription of subscriptions) {
    await world.edit(subscription, { paused: { at: 0, reason: 'request' } })
  }
  reply.resolve()
  await dispatcher.idle()
  expect(sent).toHaveLength(1)
})

test('attempts are counted by outcome, and retries that wait', async () => {
  const world = await World.open()
  const metrics = new Metrics()
  let isUp = false
  const send: SendWebhook = async () => (isUp ? { ok: true, status: 204 } : { ok: false })
  await world.subscribe('http://one/')
  const dispatcher = await world.dispatch({ send, metrics })
  await world.record(['m1'])
  await dispatcher.idle()
  const retrying = 'webhook_backlog{state="retrying"}'
  const deliveries = (outcome: string): string => `webhook_deliveries_total{outcome="${outcome}"}`
  expect(metrics.values()).toMatchObject({ [retrying]: 1, [deliveries('failed')]: 1 })
  isUp = true
  world.clock.next()
  await dispatcher.idle()
  expect(metrics.values()).toMatchObject({ [retrying]: 0, [deliveries('delivered')]: 1 })
})

test.each([1, 2])('events that are skipped count as given up, window %i', async window => {
  const world = await World.open()
  const metrics = new Metrics()
  const send: SendWebhook = async () => ({ ok: false })
  await world.subscribe('http://one/', { onExhausted: 'skip', window, schedule: [1000] })
  const dispatcher = await world.dispatch({ send, metrics })
  await world.record(['m1', 'm2'])
  await dispatcher.idle()
  for (let retry = 0; world.clock.pending > 0 && retry < 10; retry += 1) {
    world.clock.next()
    await dispatcher.idle()
  }
  const name = 'webhook_deliveries_total{outcome="given_up"}'
  expect(metrics.values()).toMatchObject({ [name]: 2 })
})

function createSignal() {
  let resolve = (): void => {}
  const promise = new Promise<void>(done => {
    resolve = done
  })
  return { promise, resolve }
}
