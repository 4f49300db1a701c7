import { describe, expect, test } from 'vitest'
import type { Account } from '../../../src/domain/account/account.js'
import type { Mailbox } from '../../../src/domain/account/mailbox.js'
import { RelayError } from '../../../src/errors.js'
import { SignInThrottle } from '../../../src/server/services/accounts/sign-in-throttle.js'
import { FormSubmissions } from '../../../src/server/services/forms/form-submissions.js'
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

const form = { secret: 'key', text: 'form', isIdempotent: true }

/** A node whose timers never end, as those of a lost one. */
function stopTimers(node: ServiceContext): ServiceContext {
  return { ...node, clock: { ...node.clock, after: () => () => {} } }
}

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

  test('a form runs once, and again if its work failed; others get its result', async () => {
    const { nodes } = await open()
    const forms = nodes.map(node => new FormSubmissions(node)) as [FormSubmissions, FormSubmissions]
    const fails = repeatOnBoth(forms, 1, async each =>
      each.runOnce(form, async () => {
        throw new Error('no')
      }),
    )
    expect(await fails).toEqual([])
    let runs = 0
    const work = async () => {
      runs += 1
      return { value: { run: runs }, isFinal: true }
    }
    expect(await forms[0].runOnce(form, work)).toEqual({ run: 1 })
    const results = await repeatOnBoth(forms, 20, async each => await each.runOnce(form, work))
    expect(results).toEqual(Array(20).fill({ run: 1 }))
    expect(await forms[1].runOnce({ ...form, secret: 'another key' }, work)).toEqual({
      run: 2,
    })
  })

  test('work of a form that takes long runs once while its node lives', async () => {
    const { clock, nodes } = await open()
    const forms = nodes.map(node => new FormSubmissions(node)) as [FormSubmissions, FormSubmissions]
    let runs = 0
    let finish = (_: { value: string; isFinal: boolean }): void => {}
    const work = async () => {
      runs += 1
      return await new Promise<{ value: string; isFinal: boolean }>(resolve => {
        finish = resolve
      })
    }
    const first = forms[0].runOnce(form, work)
    const settle = async () => await new Promise(resolve => setImmediate(resolve))
    for (let step = 0; step < 10; step += 1) {
      // The record is renewed when the timer of the next renewal runs.
      while (clock.pending === 0) await settle()
      clock.advance(5000)
    }
    while (clock.pending === 0) await settle()
    let isOver = false
    const second = forms[1].runOnce(form, work).finally(() => {
      isOver = true
    })
    finish({ value: 'done', isFinal: true })
    expect(await first).toBe('done')
    while (!isOver) {
      if (clock.pending > 0) clock.next()
      await settle()
    }
    expect(await second).toBe('done')
    expect(runs).toBe(1)
  })

  test.each([true, false])(
    'a form whose node ended has a reply in 16 s, idempotent: %s',
    async isIdempotent => {
      const form = { secret: 'key', text: 'form', isIdempotent }
      const { clock, nodes } = await open()
      const [lost, live] = nodes
      const forms = [new FormSubmissions(stopTimers(lost)), new FormSubmissions(live)] as const
      await new Promise<void>(resolve => {
        void forms[0].runOnce(form, async () => {
          resolve()
          return await new Promise<never>(() => {})
        })
      })
      const end = clock.monotonic() + 16_000
      const work = async () => ({ value: clock.monotonic() < end, isFinal: true })
      let isOver = false
      const reply = forms[1]
        .runOnce(form, work)
        .catch(error => /does not know whether/.test(String(error)) && clock.monotonic() < end)
        .finally(() => {
          isOver = true
        })
      while (!isOver) {
        if (clock.pending > 0) clock.next()
        await new Promise(resolve => setImmediate(resolve))
      }
      expect(await reply).toBe(true)
    },
  )

  test('a run of a form that fails late does not let the form run a third time', async () => {
    const { clock, nodes } = await open()
    const [lost, live] = nodes
    const forms = [new FormSubmissions(stopTimers(lost)), new FormSubmissions(live)] as const
    let fail = (_: Error): void => {}
    let reply: Promise<unknown> | undefined
    await new Promise<void>(resolve => {
      reply = forms[0].runOnce(form, async () => {
        resolve()
        return await new Promise<never>((_, reject) => {
          fail = reject
        })
      })
    })
    clock.advance(15_000)
    const work = async () => ({ value: 'done', isFinal: true })
    expect(await forms[1].runOnce(form, work)).toBe('done')
    fail(new Error('no'))
    await expect(reply).rejects.toThrow('no')
    const again = async () => ({ value: 'again', isFinal: true })
    expect(await forms[1].runOnce(form, again)).toBe('done')
  })
})
