import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addToPhoneRecord,
  observeNext,
  observePresence,
  type PhoneObservation,
} from '../../../src/domain/phone/phone-observation.js'
import type { PhoneRecord } from '../../../src/domain/phone/phone-status.js'

const identity = { id: 'a pixel', account: 'a', name: 'pixel' }

const action = fc.record({
  node: fc.nat(2),
  /** Milliseconds since the action before. */
  pause: fc.integer({ min: 1, max: 100 }),
  kind: fc.constantFrom('next', 'present', 'quiet', 'success', 'failure'),
  quiet: fc.nat(500),
  isSaved: fc.boolean(),
})

type Action = typeof action extends fc.Arbitrary<infer T> ? T : never

function observe(phone: PhoneObservation, { kind, quiet }: Action, now: number): void {
  if (kind === 'next') observeNext(phone, now)
  else if (kind === 'present') observePresence(phone, now)
  else if (kind === 'quiet') observePresence(phone, now, now + quiet)
  else phone[kind === 'success' ? 'lastSuccessAt' : 'lastFailureAt'] = now
}

/** The record after actions on nodes that save when `isSaved` says so, and all at the end. */
function run(actions: readonly Action[], isSaved: (action: Action) => boolean) {
  const nodes: PhoneObservation[] = [{}, {}, {}]
  let record: PhoneRecord | undefined
  const save = (node: number) => {
    record = addToPhoneRecord(record, identity, nodes[node] ?? {})
    nodes[node] = {}
  }
  let now = 1000
  for (const each of actions) {
    now += each.pause
    observe(nodes[each.node] ?? {}, each, now)
    if (isSaved(each)) save(each.node)
  }
  for (const node of [2, 0, 1]) save(node)
  return record
}

/** A sign of life first, since reports alone do not add a phone. */
const actions = fc
  .array(action, { maxLength: 20 })
  .map(rest => [{ node: 0, pause: 1, kind: 'present', quiet: 0, isSaved: true } as Action, ...rest])

test('nodes that save after each request have the record of a single node', () => {
  fc.assert(
    fc.property(actions, all => {
      const single = run(
        all.map(each => ({ ...each, node: 0 })),
        () => false,
      )
      expect(run(all, () => true)).toEqual(single)
    }),
  )
})

test('nodes that save at any times have the times of a single node', () => {
  fc.assert(
    fc.property(actions, all => {
      const single = run(
        all.map(each => ({ ...each, node: 0 })),
        () => false,
      )
      const { quietUntil: _, ...times } = single ?? {}
      expect(run(all, each => each.isSaved)).toMatchObject(times)
    }),
  )
})

test('reports alone add no phone', () => {
  expect(addToPhoneRecord(undefined, identity, { lastSuccessAt: 1 })).toBeUndefined()
})
