import { expect, test } from 'vitest'
import { World } from '../world.js'

const number = '+12025550143'
const origin = { reason: 'import', by: 'api key' } as const
const all = { dryRun: false, skipInvalid: false }

async function open() {
  const world = await World.open()
  const account = await world.account()
  const scope = { scope: account.id, country: 'US' }
  const listEvents = async () => {
    const query = { account: account.id, after: 0, count: 100_000 }
    const { events } = await world.store.events.getPage(query)
    return events.map(({ event, message }) => `${event} ${message}`)
  }
  return { world, account, scope, listEvents }
}

/** Numbers that can be dialled. */
function numbered(count: number): { number: string }[] {
  return Array.from({ length: count }, (_, at) => ({ number: `+1202${2_000_000 + at}` }))
}

test('the list of the whole relay records no events of accounts', async () => {
  const { world, listEvents } = await open()
  const relay = { scope: '*', country: '' }
  await world.doNotText.add(relay, number)
  await world.doNotText.remove(relay, number)
  expect(await listEvents()).toEqual([])
})

test('a large import lets other work run between its commits', async () => {
  const { world, scope, listEvents } = await open()
  const drafts = numbered(5000)
  const steps: number[] = []
  world.store.watch(({ events }) => steps.push(events.length))
  await world.doNotText.addAll(scope, drafts, origin, all)
  expect(Math.max(...steps)).toBeLessThanOrEqual(250)
  expect(await listEvents()).toHaveLength(5000)
})

test('a number with many waiting messages is blocked in several steps', async () => {
  const { world, account, scope } = await open()
  const drafts = numbered(100)
  await Promise.all(drafts.map(({ number: to }) => world.create(account, { to })))
  const waiting = await Promise.all(
    Array.from({ length: 6000 }, () => world.create(account, { to: number })),
  )
  const steps: number[] = []
  world.store.watch(({ messages }) => steps.push(messages.length))
  await world.doNotText.add(scope, number)
  expect(Math.max(...steps)).toBeLessThan(4000)
  const after = await Promise.all(waiting.map(({ id }) => world.read(id)))
  expect(new Set(after.map(each => each?.status))).toEqual(new Set(['B']))
  expect(await world.messages.getQueueDepth(account)).toMatchObject({ waiting: 100 })
})
