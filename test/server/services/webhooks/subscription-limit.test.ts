import { expect, test } from 'vitest'
import type { Account } from '../../../../src/domain/account/account.js'
import type { Subscription } from '../../../../src/domain/webhook/subscription.js'
import {
  type SubscriptionDraft,
  SubscriptionService,
} from '../../../../src/server/services/webhooks/subscription-service.js'
import { World } from '../world.js'

const draft: SubscriptionDraft = {
  event: 'message.create',
  url: 'http://h/',
  method: 'POST',
  post: false,
}

async function open(max: number) {
  const world = await World.open()
  const service = new SubscriptionService(world.context, { max: () => max })
  const create = async (
    account: Account,
    count: number,
  ): Promise<PromiseSettledResult<Subscription>[]> =>
    await Promise.allSettled(Array.from({ length: count }, () => service.create(account, draft)))
  return { world, service, create, account: await world.account() }
}

test('creations at once do not exceed the subscriptions that an account may have', async () => {
  const { world, service, create, account } = await open(3)
  const results = await create(account, 5)
  const refused = results.flatMap(each => (each.status === 'rejected' ? [each.reason] : []))
  expect(refused).toEqual(
    Array(2).fill(
      expect.objectContaining({
        code: 'invalid_state',
        message: expect.stringContaining('--max-subscriptions'),
      }),
    ),
  )
  expect(await service.list(account)).toHaveLength(3)
  const [other] = await create(await world.account({ email: 'other@example.com' }), 1)
  expect(other?.status).toBe('fulfilled')
})

test('an account above a new limit keeps its subscriptions but cannot add any', async () => {
  const { world, create, account } = await open(3)
  await create(account, 3)
  const lower = new SubscriptionService(world.context, { max: () => 2 })
  const subscriptions = await lower.list(account)
  expect(subscriptions).toHaveLength(3)
  await expect(lower.create(account, draft)).rejects.toMatchObject({ code: 'invalid_state' })
  for (const { id } of subscriptions.slice(0, 2)) await lower.remove(account, id)
  expect(await lower.create(account, draft)).toMatchObject({ account: account.id })
})
