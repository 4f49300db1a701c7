import { describe, expect, test } from 'vitest'
import type { Account } from '../../../src/domain/account/account.js'
import { RelayError } from '../../../src/errors.js'
import type { Mailbox } from '../../../src/resources/mailbox.js'
import { SignInThrottle } from '../../../src/server/services/accounts/sign-in-throttle.js'
import { MailService } from '../../../src/server/services/messages/mail-service.js'
import { SecretUrlThrottle } from '../../../src/server/services/messages/secret-url-throttle.js'
import type { ServiceContext } from '../../../src/server/services/service-context.js'
import type { Store } from '../../../src/server/store/store.js'
import { FakeClock } from '../../util/async/fake-clock.js'
import { createObservers } from '../observers.js'
import { createStore } from '../store/lowdb/lowdb-rig.js'
import { createPostgresDatabase } from '../store/postgres/postgres-rig.js'

/** The contexts of two nodes that share their limits, and their clock. */
type OpenNodes = () => Promise<{ clock: FakeClock; nodes: [ServiceContext, ServiceContext] }>

const openNodes = async (stores: readonly [Store, Store]) => {
  const clock = new FakeClock()
  const toContext = (store: Store): ServiceContext => {
    return { ...createObservers(), store, clock, newId: () => '' }
  }
  const nodes: [ServiceContext, ServiceContext] = [toContext(stores[0]), toContext(stores[1])]
  return { clock, nodes }
}

const cases: [string, OpenNodes][] = [
  [
    'one node',
    async () => {
      const store = await createStore()
      return await openNodes([store, store])
    },
  ],
  [
    'two nodes',
    async () => {
      const database = await createPostgresDatabase()
      return await openNodes([await database.open(), await database.open()])
    },
  ],
]

/** Does work so many times at once, in turn on each of two nodes; the values of what succeeds. */
async function repeatOnBoth<N, T>(
  nodes: readonly [N, N],
  times: number,
  work: (node: N, n: number) => Promise<T>,
): Promise<T[]> {
  const all = Array.from({ length: times }, (_, n) => work(nodes[n % 2 === 0 ? 0 : 1], n))
  const results = await Promise.allSettled(all)
  return results.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []))
}

describe.each(cases)('limits of %s', (_, open) => {
  test('credentials are checked as often as the limit allows', async () => {
    const { clock, nodes } = await open()
    const throttles = nodes.map(node => new SignInThrottle(node)) as [
      SignInThrottle,
      SignInThrottle,
    ]
    let checks = 0
    const guess = async (throttle: SignInThrottle): Promise<void> => {
      const attempt = { address: '192.0.2.1', name: 'srs_x', kind: 'key' } as const
      await throttle.attempt(attempt, async () => {
        checks += 1
        throw new RelayError('invalid_client', 'wrong')
      })
    }
    await guess(throttles[0]).catch(() => {})
    await repeatOnBoth(throttles, 40, guess)
    expect(checks).toBe(10)
    clock.advance(1000)
    await repeatOnBoth(throttles, 40, guess)
    expect(checks).toBe(11)
  })

  test('wrong secret URLs of an address and of all count together', async () => {
    const { nodes } = await open()
    const throttles = nodes.map(node => new SecretUrlThrottle(node, { perMinute: 12 })) as [
      SecretUrlThrottle,
      SecretUrlThrottle,
    ]
    const guess = async (throttle: SecretUrlThrottle, address: string): Promise<void> => {
      await throttle.lookUp(address, async () => undefined)
    }
    expect(await repeatOnBoth(throttles, 11, async each => await guess(each, 'a'))).toHaveLength(10)
    expect(await repeatOnBoth(throttles, 9, async each => await guess(each, 'b'))).toHaveLength(1)
  })

  test('a mailbox takes as many texts as its limit allows', async () => {
    const { clock, nodes } = await open()
    const accepted: string[] = []
    const messages = {
      accept: async (): Promise<never> => accepted.push('text') as never,
    }
    const services = nodes.map(node => new MailService(node, messages)) as [
      MailService,
      MailService,
    ]
    const addressee = {
      mailbox: { id: 'm', hourly: 7 } as Mailbox,
      account: { id: 'a' } as Account,
      destinations: ['+12025550143', '+12025550144'],
    }
    const send = async (service: MailService): Promise<void> =>
      await service.accept([{ addressee, text: 'x' }])
    expect(await repeatOnBoth(services, 20, send)).toHaveLength(3)
    expect(accepted).toHaveLength(6)
    clock.advance(60 * 60_000)
    expect(await repeatOnBoth(services, 20, send)).toHaveLength(3)
  })
})
