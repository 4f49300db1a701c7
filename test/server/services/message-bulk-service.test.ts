import { expect, test } from 'vitest'
import type { Account } from '../../../src/domain/account/account.js'
import { deliveryTimeLimit } from '../../../src/domain/webhook/subscription.js'
import { MessageBulkService } from '../../../src/server/services/messages/message-bulk-service.js'
import { MessageService } from '../../../src/server/services/messages/message-service.js'
import { openNodes, storeCases } from './service-nodes.js'
import { World } from './world.js'

const day = 24 * 3_600_000
const all = { filter: 'all', start: 0, count: 300, order: 'asc' } as const

async function openWorld() {
  const world = await World.open()
  const account = await world.account()
  const fail = async () => {
    const message = await world.create(account)
    const decide = () => ({ message: { ...message, status: 'F', failures: 5 } as const })
    await world.store.messages.change(account.id, message.id, decide)
    return message.id
  }
  return { world, account, fail }
}

async function sendAgain(
  world: World,
  account: Account,
  ids: readonly string[],
  key: string,
  retain?: number,
) {
  const context = { ...world.context, retain }
  const bulk = new MessageBulkService(context, new MessageService(context))
  const { done, sentAgain } = await bulk.run(account, ids, 'again', key)
  return { done, sentAgain }
}

test('the same form that runs again after a crash creates what is missing', async () => {
  const { world, account, fail } = await openWorld()
  const ids = [await fail(), await fail()]
  await sendAgain(world, account, ids.slice(0, 1), 'form')
  await world.restart()
  const again = await sendAgain(world, account, ids, 'form')
  expect(again).toEqual({ done: ids, sentAgain: 0 })
  expect(await world.messages.list(account, all)).toHaveLength(4)
})

test('a message that was sent again stays so, however long it is stored', async () => {
  const { world, account, fail } = await openWorld()
  const id = await fail()
  await sendAgain(world, account, [id], 'form')
  await world.advance(1000 * day)
  await world.store.deleteExpired(world.time)
  await world.restart()
  const later = await sendAgain(world, account, [id], 'other form')
  expect(later).toEqual({ done: [], sentAgain: 1 })
})

test('what is known of copies is deleted after the retention of messages', async () => {
  const { world, account, fail } = await openWorld()
  const id = await fail()
  const [retain, key] = [10 * day, 'again'] as const
  await sendAgain(world, account, [id], 'form', retain)
  await world.create(account, {}, 'kept for a day')
  await world.advance(retain)
  const find = async () => {
    await world.store.deleteExpired(world.time)
    const keys = [`${key} ${id}`, 'kept for a day']
    return (await world.store.messages.findResults(account.id, keys)).map(
      each => each?.message.text,
    )
  }
  expect(await find()).toEqual(['hello', undefined])
  await world.advance(deliveryTimeLimit)
  expect(await find()).toEqual([undefined, undefined])
})

test('a failed message and its failed copy are sent again once together', async () => {
  const { world, account, fail } = await openWorld()
  const id = await fail()
  await sendAgain(world, account, [id], 'form')
  const copy = (await world.messages.findCopies(account, [id])).get(id)?.message
  if (copy === undefined) throw new Error('There is no copy.')
  const failed = { ...copy, status: 'F' } as const
  await world.store.messages.change(account.id, copy.id, () => ({ message: failed }))
  await sendAgain(world, account, [id, copy.id], 'other form')
  expect(await world.messages.list(account, all)).toHaveLength(3)
})

test.each(storeCases)(
  'on %s, two bulk actions at once send each message again once',
  async (_, open) => {
    const { account, nodes } = await openNodes(open)
    const draft = { destination: '+12025550143', text: 'hello' }
    const created = await nodes[0].messages.acceptAll(account, Array(100).fill(draft), 'api')
    const failed = created.flatMap(({ message }) => message ?? [])
    await nodes[0].context.store.messages.changeAll(
      failed.map(message => ({
        ...{ account: account.id, id: message.id },
        decide: () => ({ message: { ...message, status: 'F' } }),
      })),
    )
    const ids = failed.map(({ id }) => id)
    const results = await Promise.all(
      nodes.map(({ messageBulk }, at) => messageBulk.run(account, ids, 'again', `form ${at}`)),
    )
    expect(results.flatMap(({ done }) => done).sort()).toEqual(ids.sort())
    expect(results.map(({ done, sentAgain }) => done.length + sentAgain)).toEqual([100, 100])
    expect(await nodes[1].messages.list(account, { ...all, filter: 'new' })).toHaveLength(100)
  },
)
