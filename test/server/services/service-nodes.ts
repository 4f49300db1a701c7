import type { Account } from '../../../src/domain/account/account.js'
import type { AccountLimits } from '../../../src/domain/account-limits.js'
import { AccountLimitService } from '../../../src/server/services/limits/account-limit-service.js'
import { MessageBulkService } from '../../../src/server/services/messages/message-bulk-service.js'
import { MessageService } from '../../../src/server/services/messages/message-service.js'
import { SecretUrlService } from '../../../src/server/services/messages/secret-url-service.js'
import type { ServiceContext } from '../../../src/server/services/service-context.js'
import { SubscriptionService } from '../../../src/server/services/webhooks/subscription-service.js'
import type { Store } from '../../../src/server/store/store.js'
import { createUuidGenerator } from '../../../src/util/crypto/uuid-v7.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { FakeClock } from '../../util/async/fake-clock.js'
import { createObservers } from '../observers.js'
import { openStore } from '../store/lowdb/lowdb-rig.js'
import { createPostgresDatabase } from '../store/postgres/postgres-rig.js'

export const start = Date.UTC(2030, 0, 1, 12, 7)

export type OpenStores = (now: () => number) => Promise<readonly [Store, Store]>

/** One node on the embedded store, and two nodes on a database. */
export const storeCases: [string, OpenStores][] = [
  [
    'one node',
    async now => {
      const store = await openStore(await temporaryFolder(), { now })
      return [store, store]
    },
  ],
  [
    'two nodes',
    async now => {
      const database = await createPostgresDatabase()
      return [await database.open({ now }), await database.open({ now })]
    },
  ],
]

/** Opens the services of two nodes, with an account. */
export async function openNodes(open: OpenStores, limits: AccountLimits = {}) {
  const clock = new FakeClock({ start })
  const stores = await open(clock.now)
  const newId = createUuidGenerator(clock.now)
  const nodes = stores.map(store => {
    const context: ServiceContext = { ...createObservers(), store, clock, newId }
    const messages = new MessageService(context)
    return {
      ...{ context, messages, secretUrls: new SecretUrlService(context, messages) },
      messageBulk: new MessageBulkService(context, messages),
      limits: new AccountLimitService(context, () => 100),
      subscriptions: new SubscriptionService(context, { max: () => 100 }),
    }
  })
  const account: Account = {
    ...{ id: 'a', email: 'ann@example.com', passwordHash: 'none', secretKey: 's', appKey: 'p' },
    ...{ apiKeyHash: 'none', country: 'US', mode: 'at-least-once', createdAt: start, limits },
    ...{ hookSecret: 'whsec_c2VjcmV0', ownerSince: start },
  }
  await stores[0].accounts.create(account)
  const [first, second] = nodes as [(typeof nodes)[0], (typeof nodes)[0]]
  return { clock, account, nodes: [first, second] as const }
}
