import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { claimMessage } from '../../../../src/domain/message/claim.js'
import { createMessage } from '../../../../src/domain/message/edit-message.js'
import type { Message } from '../../../../src/domain/message/message.js'
import { RelayError } from '../../../../src/errors.js'
import type { Store } from '../../../../src/server/store/store.js'
import { accept, acceptAll, accountWith, formatPlace, messageWith, start } from '../rig.js'
import { assertWithinTime } from './assert-within-time.js'
import type { CreateDatabase } from './test-database.js'

const lease = 120_000

/** Claims a batch for the token `p`; returns the messages and the number of the last one. */
async function claim(
  store: Store,
  since: number,
  { count = 2, now = start, holder = 'p' } = {},
): Promise<string> {
  const batch = await store.messages.claimBatch(
    { account: 'a', holder, count, since, now, lease },
    (message, facts, number) =>
      claimMessage(
        message,
        { holder, now, lease, mode: 'at-least-once', ...(number && { claim: number }) },
        facts,
      ),
  )
  if (batch === undefined) return 'none'
  return `${batch.messages.map(each => each.id).join(' ')} → ${batch.claim}`
}

async function openWithMessages(store: Store, count: number): Promise<Store> {
  await store.accounts.create(accountWith('a'))
  for (const id of ['p', 'q']) {
    await store.tokens.put({ id, account: 'a', kind: 'app', expiresAt: start + lease })
  }
  await acceptAll(
    store,
    Array.from({ length: count }, (_, at) => `m${at + 1}`),
  )
  return store
}

export function testBatches(createDatabase: CreateDatabase): void {
  const createStore = async (count = 5): Promise<Store> =>
    await openWithMessages(await (await createDatabase()).open(), count)

  describe('a batch of claims', () => {
    test('numbers messages in the order in which they are due', async () => {
      const store = await createStore()
      const claims = [await claim(store, 0), await claim(store, 2), await claim(store, 4)]
      expect([...claims, await claim(store, 5)]).toEqual([
        'm1 m2 → 2',
        'm3 m4 → 4',
        'm5 → 5',
        'none',
      ])
    })

    test('gives messages after `since` again with their numbers, also in parts', async () => {
      const store = await createStore()
      expect(await claim(store, 0, { count: 5 })).toBe('m1 m2 m3 m4 m5 → 5')
      expect(await claim(store, 0)).toBe('m1 m2 → 2')
      expect(await claim(store, 2)).toBe('m3 m4 → 4')
      expect(await claim(store, 3, { count: 9 })).toBe('m4 m5 → 5')
    })

    test('is filled up with new messages behind those that are given again', async () => {
      const store = await createStore()
      await claim(store, 0)
      expect(await claim(store, 1, { count: 3 })).toBe('m2 m3 m4 → 4')
    })

    test('goes on with its numbers after a restart and for each token alone', async () => {
      const database = await createDatabase()
      const store = await openWithMessages(await database.open(), 5)
      await claim(store, 0)
      await store.close()
      const again = await database.open()
      expect(await claim(again, 2)).toBe('m3 m4 → 4')
      expect(await claim(again, 0, { holder: 'q' })).toBe('m5 → 1')
      expect(await claim(again, 0, { count: 9 })).toBe('m1 m2 m3 m4 → 4')
      await again.close()
    })

    test('gives everything again for a number that the token never had', async () => {
      const store = await createStore()
      await claim(store, 0)
      expect(await claim(store, 7, { count: 3 })).toBe('m1 m2 m3 → 3')
    })

    test('gives messages whose lease ended new numbers', async () => {
      const store = await createStore(2)
      await claim(store, 0)
      expect(await claim(store, 2, { now: start + lease })).toBe('m1 m2 → 4')
    })

    test('says when a message that it would give again is due', async () => {
      const store = await createStore(2)
      await claim(store, 0)
      const { messages } = store
      const held = [undefined, 0, 1, 2].map(since => messages.findNextHeld('a', 'p', start, since))
      expect(await Promise.all(held)).toEqual([start, start, start, undefined])
    })

    test('is listed until its leases end, for its token and account only', async () => {
      const store = await createStore()
      await claim(store, 0, { count: 3 })
      await claim(store, 0, { holder: 'q', now: start + 1, count: 1 })
      const list = async (account: string, holder: string, now = start, count = 10) => {
        const held = await store.messages.listHeld(account, holder, now, count)
        return held.map(({ id }) => id)
      }
      expect(await list('a', 'p')).toEqual(['m3', 'm2', 'm1'])
      expect(await list('a', 'p', start, 2)).toEqual(['m3', 'm2'])
      expect(await list('a', 'q')).toEqual(['m4'])
      expect(await list('b', 'p')).toEqual([])
      expect(await list('a', 'p', start + lease)).toEqual([])
      expect(await list('a', 'q', start + lease)).toEqual(['m4'])
    })

    test('gives nothing to a token that was removed', async () => {
      const store = await createStore()
      await store.tokens.remove({ id: 'p' })
      expect(await claim(store, 0)).toBe('none')
      expect(await claim(store, 0, { holder: 'q' })).toBe('m1 m2 → 2')
    })
  })

  test('several changes commit together, and one that fails leaves the others', async () => {
    const store = await createStore(0)
    const changes: (readonly string[])[] = []
    store.watch(change => changes.push(change.messages))
    const create = (id: string) => ({
      account: 'a',
      id,
      decide: () => createMessage(messageWith(id), { blocked: false }),
      options: { number: '+12025550143' },
    })
    const error = new RelayError('invalid_state', 'no')
    const fail = () => {
      throw error
    }
    const results = await store.messages.changeAll([
      create('n1'),
      { account: 'a', id: 'n2', decide: fail },
      create('n3'),
    ])
    expect(results.map(each => each.message?.id ?? each.error)).toEqual(['n1', error, 'n3'])
    expect(changes).toEqual([['n1', 'n3']])
    const { events } = await store.events.getPage({ account: 'a', after: 0, count: 9 })
    expect(events.map(each => each.message)).toEqual(['n1', 'n3'])
    expect(await store.messages.get('a', 'n2')).toBeUndefined()
  })

  test('changes of one message in a batch follow each other in order', async () => {
    const store = await createStore(2)
    const error = new RelayError('invalid_state', 'no')
    const change = (at: number) => ({
      account: 'a',
      id: at % 10 === 9 ? 'm2' : 'm1',
      decide: (found: Message | undefined) => {
        if (at % 3 === 0) throw error
        const { failures } = found as Message
        return { message: messageWith(found?.id ?? '', { failures: failures + 1 }) }
      },
    })
    const places = Array.from({ length: 300 }, (_, at) => at)
    const results = await store.messages.changeAll(places.map(change))
    const counts: Record<string, number> = { m1: 0, m2: 0 }
    const expected = places.map(at => {
      if (at % 3 === 0) return error
      const id = change(at).id
      counts[id] = (counts[id] ?? 0) + 1
      return `${id} ${counts[id]}`
    })
    expect(
      results.map(each => each.error ?? `${each.message?.id} ${each.message?.failures}`),
    ).toEqual(expected)
    expect((await store.messages.get('a', 'm1'))?.failures).toBe(counts.m1)
  })

  test('waiting messages are listed by their times in pages, for any times', async () => {
    const check = async (times: number[], count: number): Promise<void> => {
      const store = await (await createDatabase()).open()
      const ids = times.map((_, at) => `m${formatPlace(at)}`)
      for (const [at, time] of times.entries())
        await accept(store, ids[at] ?? '', { sendAt: start + time })
      const expected = ids.toSorted(
        (a, b) => (times[ids.indexOf(a)] ?? 0) - (times[ids.indexOf(b)] ?? 0) || (a < b ? -1 : 1),
      )
      const listed: string[] = []
      for (let place = { at: 0, id: '' }; ; ) {
        const page = await store.messages.listLater('a', place, count)
        listed.push(...page.map(({ id }) => id))
        const last = page.at(-1)
        if (last === undefined) break
        place = { at: last.sendAt, id: last.id }
      }
      expect(listed).toEqual(expected)
    }
    const some = fc.array(fc.nat(20), { maxLength: 40, size: 'max' })
    await assertWithinTime(fc.tuple(some, fc.integer({ min: 1, max: 5 })), async ([times, count]) =>
      check(times, count),
    )
  })
}
