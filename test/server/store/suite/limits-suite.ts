import { expect, test } from 'vitest'
import { start } from '../rig.js'
import type { CreateDatabase } from './test-database.js'

const until = start + 1000

export function testLimits(createDatabase: CreateDatabase): void {
  const createStore = async () => await (await createDatabase()).open()
  const addFailure = (state = { failures: 0, last: 0 }) => ({
    failures: state.failures + 1,
    last: start,
  })

  test('a limit has the state that was decided last', async () => {
    const { limits } = await createStore()
    expect(await limits.get('sign-in pair', 'a')).toBeUndefined()
    const first = await limits.change('sign-in pair', 'a', until, addFailure)
    const one = { failures: 1, last: start }
    expect(first).toEqual({ before: undefined, after: one })
    expect(await limits.get('sign-in pair', 'a')).toEqual(one)
    const two = { failures: 2, last: start }
    expect(await limits.change('sign-in pair', 'a', until, addFailure)).toEqual({
      before: one,
      after: two,
    })
    expect(await limits.get('sign-in pair', 'a')).toEqual(two)
  })

  test('limits of other kinds and keys are others', async () => {
    const { limits } = await createStore()
    await limits.change('sign-in pair', 'a', until, addFailure)
    expect(await limits.get('sign-in name', 'a')).toBeUndefined()
    expect(await limits.get('sign-in pair', 'A')).toBeUndefined()
    expect(await limits.get('sign-in pair', '')).toBeUndefined()
  })

  test('changes at the same time all count, one after the other', async () => {
    const { limits } = await createStore()
    const changes = Array.from({ length: 200 }, async (_, n) => {
      const { after } = await limits.change('sign-in name', `key ${n % 3}`, until, addFailure)
      return after?.failures
    })
    const counts = await Promise.all(changes)
    expect([0, 1, 2].map(key => counts.filter((_, n) => n % 3 === key))).toEqual(
      [67, 67, 66].map(total => Array.from({ length: total }, (_, n) => n + 1)),
    )
  })

  test('of many at the same time as many pass as the decision lets through', async () => {
    const { limits } = await createStore()
    const refused = new Error('too many')
    const changes = Array.from({ length: 50 }, () =>
      limits.change('sign-in pair', 'a', until, (state = { failures: 0, last: 0 }) => {
        if (state.failures >= 7) throw refused
        return addFailure(state)
      }),
    )
    const results = await Promise.allSettled(changes)
    expect(results.filter(each => each.status === 'fulfilled')).toHaveLength(7)
    expect(results.flatMap(each => (each.status === 'rejected' ? [each.reason] : []))).toEqual(
      Array(43).fill(refused),
    )
    expect((await limits.get('sign-in pair', 'a'))?.failures).toBe(7)
  })

  test('a decision that throws or returns null leaves no new record', async () => {
    const { limits } = await createStore()
    const failed = limits.change('signed in', 'a', until, () => {
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    expect(await limits.get('signed in', 'a')).toBeUndefined()
    const none = { before: undefined, after: undefined }
    expect(await limits.change('signed in', 'a', until, () => null)).toEqual(none)
  })

  test('a removed limit begins again', async () => {
    const { limits } = await createStore()
    await limits.change('signed in', 'a', until, () => start)
    expect(await limits.change('signed in', 'a', until, () => null)).toEqual({
      before: start,
      after: undefined,
    })
    expect(await limits.get('signed in', 'a')).toBeUndefined()
    expect((await limits.change('signed in', 'a', until, () => start)).before).toBeUndefined()
  })

  test('every type of state is stored as it is', async () => {
    const { limits } = await createStore()
    await limits.change('mailbox', 'a', until, () => [
      [start, 2],
      [start + 1, 3],
    ])
    await limits.change('signed in', 'a b', until, () => start)
    expect(await limits.get('mailbox', 'a')).toEqual([
      [start, 2],
      [start + 1, 3],
    ])
    expect(await limits.get('signed in', 'a b')).toBe(start)
  })

  test('expired limits are deleted, and those that were changed since are not', async () => {
    const store = await createStore()
    const { limits } = store
    for (const key of ['a', 'b']) await limits.change('sign-in pair', key, until, addFailure)
    await limits.change('sign-in pair', 'b', until + 1, addFailure)
    await store.deleteExpired(until - 1)
    expect(await limits.get('sign-in pair', 'a')).toBeDefined()
    await store.deleteExpired(until)
    expect(await limits.get('sign-in pair', 'a')).toBeUndefined()
    expect((await limits.get('sign-in pair', 'b'))?.failures).toBe(2)
    await store.deleteExpired(until + 1)
    expect(await limits.get('sign-in pair', 'b')).toBeUndefined()
  })
}
