import { expect, test } from 'vitest'
import { hour, World } from '../world.js'

const origin = { reason: 'import', by: 'api key' } as const
const both = { dryRun: false, skipInvalid: false }

async function open() {
  const world = await World.open()
  const account = await world.account()
  const scope = { scope: account.id, country: 'US' }
  const add = async (
    drafts: Parameters<World['doNotText']['addAll']>[1],
    options: Partial<typeof both> = {},
  ) => await world.doNotText.addAll(scope, drafts, origin, { ...both, ...options })
  return { world, account, scope, add }
}

test('many numbers are added at once, each with its own details', async () => {
  const { world, scope, add } = await open()
  const drafts = [
    { number: '(202) 555-0143', note: 'asked by mail' },
    { number: '+12025550144', at: 5, reason: 'stop', note: '' },
    { number: '+12025550145', at: world.time + hour },
  ] as const
  expect(await add(drafts)).toEqual({ added: 3, listed: 0, invalid: [] })
  const common = { scope: scope.scope, by: 'api key' }
  expect(await world.doNotText.list(scope)).toEqual([
    { ...common, number: '+12025550144', at: 5, reason: 'stop' },
    {
      ...common,
      number: '+12025550143',
      at: world.time,
      reason: 'import',
      note: 'asked by mail',
    },
    { ...common, number: '+12025550145', at: world.time, reason: 'import' },
  ])
})

test('only the messages that wait for them are blocked', async () => {
  const { world, account, add } = await open()
  const phone = await world.phone(account)
  const leased = await world.create(account, { to: '+12025550143' })
  await world.next(account, phone)
  const others = ['+12025550144', '+12025550145', '+12025550146']
  const created = await Promise.all(others.map(to => world.create(account, { to })))
  const stranger = await world.create(await world.account(), { to: '+12025550144' })
  const numbers = ['+12025550143', '+12025550144', '+12025550145']
  await add(numbers.map(number => ({ number, at: 5 })))
  const states = await Promise.all([leased, ...created, stranger].map(({ id }) => world.read(id)))
  expect(states.map(each => each?.status)).toEqual(['N', 'B', 'B', 'N', 'N'])
  const { events } = await world.store.events.getPage({ account: account.id, after: 0, count: 99 })
  const blocked = events.filter(each => each.event === 'message.blocked')
  expect(blocked.map(each => each.at)).toEqual([world.time, world.time])
})

test('a listed number keeps its entry, and a duplicate counts once', async () => {
  const { world, scope, add } = await open()
  const first = await world.doNotText.add(scope, '+12025550143', {
    reason: 'person',
    by: 'ann@example.com',
    note: 'hers',
  })
  const drafts = ['+12025550143', '+12025550144', '202-555-0144'].map(number => ({ number }))
  expect(await add(drafts)).toEqual({ added: 1, listed: 2, invalid: [] })
  expect((await world.doNotText.list(scope))[0]).toEqual(first)
})
