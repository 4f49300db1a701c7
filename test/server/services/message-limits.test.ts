import { describe, expect, test } from 'vitest'
import type { Account } from '../../../src/domain/account/account.js'
import { isRelayError } from '../../../src/errors.js'
import { MessageService } from '../../../src/server/services/messages/message-service.js'
import { createUuidGenerator } from '../../../src/util/crypto/uuid-v7.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { FakeClock } from '../../util/async/fake-clock.js'
import { createObservers } from '../observers.js'
import { openStore } from '../store/lowdb/lowdb-rig.js'
import { openNodes, start, storeCases } from './service-nodes.js'

const minute = 60_000

const draft = { destination: '+12025550143', text: 'hello' }

/** The results of works at once, in turn on each node: done, or the code of the error. */
async function repeat<N>(
  nodes: readonly [N, N],
  times: number,
  work: (node: N, n: number) => Promise<unknown>,
): Promise<Record<string, number>> {
  const all = Array.from(
    { length: times },
    async (_, n) => await work(nodes[n % 2 === 0 ? 0 : 1], n),
  )
  const counts: Record<string, number> = {}
  for (const each of await Promise.allSettled(all)) {
    const name = each.status === 'fulfilled' ? 'done' : String(each.reason.code)
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

describe.each(storeCases)('limits of an account on %s', (_, open) => {
  test('no more messages are created in an hour and in a day', async () => {
    const limits = { messagesPerHour: 7, messagesPerDay: 10 }
    const { clock, account, nodes } = await openNodes(open, limits)
    const create = async ({ messages }: (typeof nodes)[0]) =>
      await messages.accept(account, draft, 'api')
    expect(await repeat(nodes, 20, create)).toEqual({ done: 7, too_many_requests: 13 })
    const error = await create(nodes[1]).catch((reason: unknown) => reason)
    expect(isRelayError(error) && [error.message, error.retryAfter]).toEqual([
      'The account may create 7 messages an hour; try again in 1 h.',
      3600,
    ])
    clock.advance(60 * minute)
    expect(await repeat(nodes, 20, create)).toEqual({ done: 3, too_many_requests: 17 })
    await expect(create(nodes[0])).rejects.toThrow('10 messages a day; try again in 23 h.')
    const { messagesPerHour, messagesPerDay } = await nodes[0].limits.read(account)
    expect(messagesPerHour).toEqual({ max: 7, used: 3 })
    expect(messagesPerDay).toEqual({ max: 10, used: 10 })
    clock.advance(23 * 60 * minute)
    expect(await repeat(nodes, 20, create)).toEqual({ done: 7, too_many_requests: 13 })
  })

  test('a repeated request gets its first result and does not count', async () => {
    const { account, nodes } = await openNodes(open, { messagesPerHour: 2 })
    const create = async ({ messages }: (typeof nodes)[0], key: string) =>
      await messages.accept(account, draft, 'api', key)
    const first = await create(nodes[0], 'one')
    await create(nodes[1], 'two')
    expect(await create(nodes[1], 'one')).toEqual(first)
    await expect(create(nodes[0], 'three')).rejects.toMatchObject({ code: 'too_many_requests' })
  })

  test('a batch is accepted as far as the limit allows, without invalid messages', async () => {
    const { account, nodes } = await openNodes(open, { messagesPerDay: 3 })
    const drafts = ['+12025550143', 'nobody', '+12025550144', '+12025550145', '+12025550146']
    const keyed = drafts.map(destination => ({ ...draft, destination, key: destination }))
    const { messages } = nodes[0]
    const codes = async () =>
      (await messages.acceptAll(account, keyed, 'api')).map(({ error }) => error?.code ?? 'done')
    const expected = ['done', 'invalid_parameter', 'done', 'done', 'too_many_requests']
    expect(await codes()).toEqual(expected)
    expect(await codes()).toEqual(expected)
    expect((await nodes[1].limits.read(account)).messagesPerDay).toEqual({ max: 3, used: 3 })
  })

  test('a batch over the limit is told when the next message is possible', async () => {
    const { clock, account, nodes } = await openNodes(open, { messagesPerHour: 3 })
    const [{ messages }] = nodes
    const readWait = async (count: number) => {
      const drafts = Array.from({ length: count }, () => draft)
      return (await messages.acceptAll(account, drafts, 'api')).at(-1)?.error?.retryAfter
    }
    expect(await readWait(1)).toBeUndefined()
    clock.advance(20 * minute)
    expect(await readWait(3)).toBe(40 * 60)
    clock.advance(40 * minute)
    expect(await readWait(2)).toBe(20 * 60)
  })

  test('messages that were created before a limit count', async () => {
    const { account, nodes } = await openNodes(open, {})
    const create = async ({ messages }: (typeof nodes)[0]) =>
      await messages.accept(account, draft, 'api')
    expect(await repeat(nodes, 4, create)).toEqual({ done: 4 })
    const limited = await nodes[0].limits.change(account, { messagesPerHour: 6 })
    const createLimited = async ({ messages }: (typeof nodes)[0]) =>
      await messages.accept(limited, draft, 'api')
    expect(await repeat(nodes, 4, createLimited)).toEqual({ done: 2, too_many_requests: 2 })
  })

  test('waiting messages have a limit until some are removed', async () => {
    const { clock, account, nodes } = await openNodes(open, { waitingMessages: 5 })
    const create = async ({ messages }: (typeof nodes)[0]) =>
      await messages.accept(account, draft, 'api')
    const one = [nodes[0], nodes[0]] as const
    expect(await repeat(one, 8, create)).toEqual({ done: 5, too_many_requests: 3 })
    clock.advance(1000)
    const two = [nodes[1], nodes[1]] as const
    expect(await repeat(two, 3, create)).toEqual({ too_many_requests: 3 })
    const page = { filter: 'all', start: 0, count: 2, order: 'asc' } as const
    for (const { id } of await nodes[1].messages.list(account, page))
      await nodes[1].messages.remove(account, id)
    expect(await repeat(two, 3, create)).toEqual({ done: 2, too_many_requests: 1 })
    expect((await nodes[0].limits.read(account)).waitingMessages).toEqual({ max: 5, used: 5 })
  })

  test('secret URLs and subscriptions have limits of the account', async () => {
    const { account, nodes } = await openNodes(open, { secretUrls: 2, subscriptions: 3 })
    const createUrl = async ({ secretUrls }: (typeof nodes)[0]) =>
      await secretUrls.create(account, {})
    for (const node of nodes) await createUrl(node)
    expect(await repeat(nodes, 4, createUrl)).toEqual({ invalid_state: 4 })
    const target = {
      event: 'message.create',
      url: 'http://h/',
      method: 'POST',
      post: false,
    } as const
    const subscribe = async ({ subscriptions }: (typeof nodes)[0]) =>
      await subscriptions.create(account, target)
    expect(await repeat(nodes, 6, subscribe)).toEqual({ done: 3, invalid_state: 3 })
    const uses = await nodes[0].limits.read(account)
    expect([uses.secretUrls, uses.subscriptions]).toEqual([
      { max: 2, used: 2 },
      { max: 3, used: 3 },
    ])
  })
})

test('a limit of no messages allows none, and the limits are kept over a restart', async () => {
  const folder = await temporaryFolder()
  const clock = new FakeClock({ start })
  const openService = async () => {
    const store = await openStore(folder, { now: clock.now })
    const newId = createUuidGenerator(clock.now)
    return { store, messages: new MessageService({ ...createObservers(), store, clock, newId }) }
  }
  const first = await openService()
  const account = {
    ...{ id: 'a', email: 'ann@example.com', passwordHash: 'none', secretKey: 's', appKey: 'p' },
    ...({ apiKeyHash: 'none', country: 'US', mode: 'at-least-once', createdAt: start } as const),
    ...{ hookSecret: 'whsec_c2VjcmV0', ownerSince: start, limits: { messagesPerHour: 2 } },
  }
  await first.store.accounts.create(account)
  for (let n = 0; n < 2; n += 1) await first.messages.accept(account, draft, 'api')
  await first.store.close()
  const second = await openService()
  const stored = (await second.store.accounts.get('a')) as Account
  expect(stored.limits).toEqual({ messagesPerHour: 2 })
  await expect(second.messages.accept(stored, draft, 'api')).rejects.toThrow('2 messages an hour')
  const none = { ...stored, limits: { messagesPerDay: 0 } }
  await expect(second.messages.accept(none, draft, 'api')).rejects.toMatchObject({
    code: 'too_many_requests',
    retryAfter: 24 * 60 * 60,
  })
})
