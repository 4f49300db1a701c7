import { expect, test } from 'vitest'
import { ProblemList } from '../../../../src/domain/account/problem-list.js'
import { ProblemService } from '../../../../src/server/services/problem-service.js'
import { openSink, reply } from '../sink.js'
import { openSubscription } from '../subscription-rig.js'
import type { World } from '../world.js'

/** A second subscription of the account, to an event of subscriptions. */
async function listenTo(world: World, event: 'subscription.paused' | 'subscription.resumed') {
  const sink = await openSink()
  const { id } = await world.subscribe(sink.url, { event, post: true })
  const ids = () =>
    sink.requests.map(request => /"subscription":\{"id":"([^"]+)"/.exec(request)?.[1])
  return { id, ids }
}

test('a subscription never gets an event about itself, and continues after it', async () => {
  const hook = await openSubscription()
  const first = await listenTo(hook.world, 'subscription.paused')
  const second = await listenTo(hook.world, 'subscription.paused')
  await hook.service.pause(hook.owner, first.id)
  await hook.dispatcher.idle()
  await hook.service.resume(hook.owner, first.id)
  await hook.service.pause(hook.owner, hook.id)
  await hook.dispatcher.idle()
  expect(first.ids()).toEqual([hook.id])
  expect(second.ids()).toEqual([first.id, hook.id])
  const stored = await hook.world.store.subscriptions.get(first.id)
  expect(stored).toMatchObject({ triggered: 1 })
})

test('two subscriptions whose receivers fail report each other once', async () => {
  const hook = await openSubscription()
  const gone = await openSink(() => reply(410))
  for (const _ of [1, 2]) {
    await hook.world.subscribe(gone.url, { event: 'subscription.paused' })
  }
  await hook.service.pause(hook.owner, hook.id)
  await hook.dispatcher.idle()
  expect(gone.requests).toHaveLength(2)
})

test('without another subscription to it, a pause is no event', async () => {
  const hook = await openSubscription()
  await hook.service.pause(hook.owner, hook.id)
  await hook.service.resume(hook.owner, hook.id)
  await hook.record('m1')
  expect(await hook.read()).toMatchObject({ cursor: 1 })
})

/** The problems of an account, as any node finds them. */
async function listProblems({ store, clock }: World, account = 'a') {
  return await new ProblemService({ store, problems: new ProblemList(), clock }).list(account)
}

test('a paused subscription is a problem until it is removed', async () => {
  const hook = await openSubscription(() => reply(410))
  expect(await listProblems(hook.world)).toEqual([])
  await hook.record('m1')
  expect(await listProblems(hook.world)).toMatchObject([{ code: 'subscription_paused' }])
  await hook.service.remove(hook.owner, hook.id)
  expect(await listProblems(hook.world)).toEqual([])
})

test('the problem of an account ends when its last paused subscription is resumed', async () => {
  const hook = await openSubscription()
  const other = await hook.world.subscribe(hook.sink.url)
  for (const id of [hook.id, other.id]) await hook.service.pause(hook.owner, id)
  const messages = async () => (await listProblems(hook.world)).map(({ message }) => message)
  expect((await messages())[0]).toContain('2 subscriptions')
  expect(await listProblems(hook.world, 'b')).toEqual([])
  await hook.service.resume(hook.owner, hook.id)
  expect((await messages())[0]).toContain(other.id)
  await hook.service.resume(hook.owner, other.id)
  expect(await messages()).toEqual([])
})
