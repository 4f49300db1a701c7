import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { listAttempts } from '../../../../src/domain/message/attempts.js'
import { claimMessage } from '../../../../src/domain/message/claim.js'
import { getAvailableTime, type Message } from '../../../../src/domain/message/message.js'
import { accept, acceptAll, formatPlace, next, readContent, start } from '../rig.js'
import { assertWithinTime } from './assert-within-time.js'
import type { CreateDatabase, StoreOptions, TestDatabase } from './test-database.js'

export function testClaims(createDatabase: CreateDatabase): void {
  const createStore = async (options: StoreOptions = {}) => (await createDatabase()).open(options)
  const lease = 120_000
  const claim = { account: 'a', holder: 'p', now: start, lease }
  const mode = 'at-least-once'
  const facts = { blocked: false }

  function numbered(prefix: string, count: number): string[] {
    return Array.from({ length: count }, (_, at) => `${prefix}${formatPlace(at)}`)
  }

  describe('the order of claims', () => {
    test('is by the time at which a message is available, then by creation', async () => {
      const times = [5, 1, 3, 1, 0, 3]
      const store = await createStore()
      for (const [at, time] of times.entries()) {
        await accept(store, `m${at}`, { sendAt: start + time })
      }
      const ids = []
      for (const phone of numbered('p', 7)) ids.push(await next(store, phone, start + 10))
      expect(ids).toEqual(['m4', 'm1', 'm3', 'm2', 'm5', 'm0', undefined])
    })

    test('is the same after a restart, for any times and states', async () => {
      const message = fc.record({
        sendAt: fc.integer({ min: start, max: start + 5 }),
        retryAt: fc.integer({ min: start, max: start + 7 }),
        status: fc.constantFrom('N', 'E', 'L', 'S'),
      })
      const check = async (messages: Partial<Message>[]): Promise<void> => {
        const database = await createDatabase()
        const store = await database.open()
        await Promise.all(messages.map((each, at) => accept(store, `m${formatPlace(at)}`, each)))
        const expected = messages
          .map((each, at) => ({
            id: `m${formatPlace(at)}`,
            at: getAvailableTime(each as Message),
            status: each.status,
          }))
          .filter(each => each.status === 'N' || each.status === 'E')
          .filter(each => each.at <= start + 6)
          .sort((a, b) => a.at - b.at)
          .map(each => each.id)
        const phones = numbered('p', expected.length + 1)
        const claims = phones.map(async phone => await next(store, phone, start + 6))
        expect(await Promise.all(claims)).toEqual([...expected, undefined])
        await store.close()
        const again = await database.open()
        const later = phones.map(async phone => await next(again, phone, start + 6))
        expect(await Promise.all(later)).toEqual([...expected, undefined])
        await again.close()
      }
      await assertWithinTime(fc.array(message, { maxLength: 30 }), check)
    })

    test('begins when a message is available, which is known in advance', async () => {
      const store = await createStore()
      await accept(store, 'm1', { sendAt: start + 1000 })
      expect(await next(store, 'p', start + 999)).toBeUndefined()
      expect(await store.messages.findNextAvailable('a')).toBe(start + 1000)
      expect(await next(store, 'p', start + 1000)).toBe('m1')
      expect(await store.messages.findNextAvailable('a')).toBe(start + 1000 + lease)
    })
  })

  describe('a claim', () => {
    test('gives each message to one of many phones that ask at once', async () => {
      const store = await createStore()
      await acceptAll(store, numbered('m', 40))
      const claims = numbered('p', 60).map(async phone => await next(store, phone))
      const ids = (await Promise.all(claims)).filter(id => id !== undefined)
      expect(ids.toSorted()).toEqual(numbered('m', 40).toSorted())
    })

    test('gives each message to one of many phones that ask repeatedly', async () => {
      const store = await createStore()
      await acceptAll(store, numbered('m', 60))
      const ids: string[] = []
      const phone = async (holder: string): Promise<void> => {
        for (let id = await next(store, holder); id !== undefined; id = await next(store, holder)) {
          ids.push(id)
          await store.messages.change('a', id, found => ({
            message: { ...(found as Message), status: 'S' },
          }))
        }
      }
      await Promise.all(numbered('p', 8).map(phone))
      expect(ids.toSorted()).toEqual(numbered('m', 60).toSorted())
    })

    test('gives a phone that asks many times at once the same message', async () => {
      const store = await createStore()
      await acceptAll(store, numbered('m', 5))
      const claims = Array.from({ length: 9 }, async () => await next(store, 'p'))
      expect(new Set(await Promise.all(claims))).toEqual(new Set(['m0']))
    })

    test('gives no message of another account', async () => {
      const store = await createStore()
      await accept(store, 'm1', { account: 'b' })
      expect(await next(store, 'p')).toBeUndefined()
    })

    test('gives a message again after its lease, and locks it in at-most-once mode', async () => {
      const store = await createStore()
      await accept(store, 'm1')
      expect(await next(store, 'p')).toBe('m1')
      expect(await next(store, 'q', start + lease - 1)).toBeUndefined()
      expect(await next(store, 'q', start + lease)).toBe('m1')
      expect(await next(store, 'r', start + 2 * lease, 'at-most-once')).toBeUndefined()
      expect((await store.messages.get('a', 'm1'))?.status).toBe('L')
    })

    test('stores that the lease before it ended without a report', async () => {
      const database = await createDatabase()
      const store = await database.open()
      await accept(store, 'm1')
      expect(await next(store, 'p')).toBe('m1')
      const later = {
        ...claim,
        holder: 'q',
        now: start + lease,
        mode,
        formerPhone: 'attic',
      } as const
      await store.messages.claim(later, (found, known) => claimMessage(found, later, known))
      const attempt = { at: start + lease, beganAt: start, outcome: 'unknown', phone: 'attic' }
      for (const reader of [store, await database.openCopy()]) {
        const found = await reader.messages.get('a', 'm1')
        expect(found?.lease?.holder).toBe('q')
        expect(listAttempts(found as Message)).toMatchObject([attempt])
      }
    })

    test('blocks due messages to listed numbers before it gives another one', async () => {
      const store = await createStore()
      await accept(store, 'm1')
      await accept(store, 'm2', { number: '+2' })
      await accept(store, 'm3')
      for (const number of ['+12025550143', '+3']) {
        await store.doNotText.add(
          [{ scope: number === '+3' ? 'b' : '*', number, at: 0 }],
          0,
          () => ({}),
        )
      }
      expect(await next(store, 'p')).toBe('m2')
      expect((await store.messages.get('a', 'm1'))?.status).toBe('B')
      expect((await store.messages.get('a', 'm3'))?.status).toBe('N')
    })

    test('ends if the decision changes nothing', async () => {
      const store = await createStore()
      await accept(store, 'm1')
      const claimed = store.messages.claim(claim, () => ({ given: false }))
      expect(await claimed).toBeUndefined()
    })

    test('is undone if the decision throws', async () => {
      const store = await createStore()
      await acceptAll(store, ['m1', 'm2'])
      const before = await readContent(store)
      const failed = store.messages.claim(claim, () => {
        throw new Error('no')
      })
      await expect(failed).rejects.toThrow('no')
      expect(await readContent(store)).toEqual(before)
      expect(await next(store, 'q')).toBe('m1')
    })

    test('stores another decision than a lease', async () => {
      const store = await createStore()
      await acceptAll(store, ['m1', 'm2'])
      const claimed = await store.messages.claim(claim, message => {
        if (message.id === 'm2') return claimMessage(message, { ...claim, lease: 7, mode }, facts)
        return { message: { ...message, status: 'L' }, given: false }
      })
      expect(claimed?.lease).toEqual({ holder: 'p', until: start + 7 })
      expect((await store.messages.get('a', 'm1'))?.status).toBe('L')
      expect(await store.messages.get('a', 'm2')).toEqual(claimed)
    })
  })

  describe('a phone with an ended and a running lease', () => {
    /** `p` has an ended lease of m1 and a running one of m0, which became due later. */
    async function openTwoLeases(database: TestDatabase) {
      const store = await database.open()
      await accept(store, 'm0', { sendAt: start + lease - 1 })
      await accept(store, 'm1')
      await accept(store, 'm2', { sendAt: start + lease + 1 })
      expect(await next(store, 'p')).toBe('m1')
      expect(await next(store, 'p', start + lease)).toBe('m0')
      return store
    }

    test('gets the message of the running lease', async () => {
      const store = await openTwoLeases(await createDatabase())
      expect(await next(store, 'p', start + lease + 1)).toBe('m0')
    })

    test('gets it after a restart', async () => {
      const database = await createDatabase()
      await (await openTwoLeases(database)).close()
      expect(await next(await database.open(), 'p', start + lease + 1)).toBe('m0')
    })

    test('gets it after the other message was edited', async () => {
      const store = await openTwoLeases(await createDatabase())
      await store.messages.change('a', 'm1', found => ({
        message: { ...(found as Message), text: 'new' },
      }))
      expect(await next(store, 'p', start + lease + 1)).toBe('m0')
    })

    test('gets the other message when that one is removed', async () => {
      const store = await openTwoLeases(await createDatabase())
      await store.messages.change('a', 'm0', () => ({ message: null }))
      expect(await next(store, 'p', start + lease + 1)).toBe('m1')
    })
  })

  test('a waiting message is listed when its lease has ended', async () => {
    const store = await createStore()
    await acceptAll(store, ['m1', 'm2', 'm3'])
    for (const phone of ['p', 'q', 'r']) await next(store, phone)
    await store.messages.change('a', 'm2', found => ({
      message: { ...(found as Message), status: 'S' },
    }))
    const by = { account: 'a', holder: 'p', now: start + 1, lease, mode: 'at-least-once' } as const
    await store.messages.claim(by, (found, facts) => claimMessage(found, by, facts))
    const listEnded = async (now: number, accounts = ['a'], count = 9) =>
      (await store.messages.listExpiredLeases(accounts, now, count)).map(each => each.id)
    expect(await listEnded(start + lease - 1)).toEqual([])
    expect(await listEnded(start + lease)).toEqual(['m3'])
    expect((await listEnded(start + lease + 1)).toSorted()).toEqual(['m1', 'm3'])
    expect(await listEnded(start + lease + 1, ['a'], 1)).toHaveLength(1)
    expect(await listEnded(start + lease + 1, ['b'])).toEqual([])
  })
}
