import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eventNames } from '../../../../../src/domain/webhook/event.js'
import {
  HintDraft,
  parseHints,
} from '../../../../../src/server/store/postgres/workers/change-hint.js'
import { SeenHints } from '../../../../../src/server/store/postgres/workers/seen-hints.js'
import type { StoreChange } from '../../../../../src/server/store/store.js'

const texts = fc.array(fc.uuid(), { maxLength: 40 })

const change: fc.Arbitrary<StoreChange> = fc.record({
  account: fc.oneof(fc.constantFrom('a', 'b'), fc.string({ minLength: 1, maxLength: 60 })),
  messages: texts,
  holders: texts,
  events: fc.array(fc.constantFrom(...eventNames), { maxLength: 5 }),
  subscriptions: texts,
})

test('hints name every change and are short enough for notifications', () => {
  const check = (changes: readonly StoreChange[]): void => {
    const draft = new HintDraft()
    for (const each of changes) draft.add(each)
    const payloads = draft.takePayloads()
    for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThan(7900)
    const told = payloads.flatMap(parseHints)
    for (const { account, messages, events, subscriptions } of changes) {
      const own = told.filter(each => each.account === account)
      expect(own.flatMap(each => each.events)).toEqual(expect.arrayContaining([...events]))
      const has = (name: 'messages' | 'subscriptions') =>
        own.some(({ foreign }) => foreign?.[name] === true)
      if (messages.length > 0) expect(has('messages')).toBe(true)
      if (subscriptions.length > 0) expect(has('subscriptions')).toBe(true)
      if (messages.length + events.length + subscriptions.length > 0) continue
      expect(own.some(({ foreign }) => foreign === undefined)).toBe(true)
    }
    expect(draft.isEmpty).toBe(true)
  }
  fc.assert(fc.property(fc.array(change, { maxLength: 200 }), check), { numRuns: 50 })
})

test('each hint counts once, in whatever order it appears within two seconds', () => {
  const delays = fc.array(fc.nat(1900), { minLength: 1, maxLength: 200 })
  const check = (given: readonly number[]): void => {
    // Hint number N gets its number at N * 50 ms and appears after its delay.
    const hints = given.map((delay, at) => ({ id: at + 1, at: at * 50 + delay }))
    const seen = new SeenHints(0)
    const counts = new Map<number, number>()
    for (let now = 0; now <= 20_000; now += 200) {
      const visible = hints.filter(({ id, at }) => at <= now && id > seen.floor)
      for (const { id } of visible) if (seen.add(id)) counts.set(id, (counts.get(id) ?? 0) + 1)
      seen.prune(now)
    }
    expect([...counts.values()]).toEqual(given.map(() => 1))
    expect(seen.floor).toBe(given.length)
  }
  fc.assert(fc.property(delays, check), { numRuns: 50 })
})
