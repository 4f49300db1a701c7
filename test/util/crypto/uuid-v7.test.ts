import { expect, test } from 'vitest'
import { createUuidGenerator } from '../../../src/util/crypto/uuid-v7.js'

const version7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('identifiers are UUIDs of version 7 that begin with the time', () => {
  const id = createUuidGenerator(() => 0x0123456789ab)()
  expect(id).toMatch(version7)
  expect(id.slice(0, 13)).toBe('01234567-89ab')
})

test('each sorts after the one before, also if the clock stops or goes back', () => {
  let time = 1_800_000_000_000
  const next = createUuidGenerator(() => time)
  const ids = Array.from({ length: 2000 }, (_, count) => {
    if (count % 500 === 499) time -= 60_000
    if (count % 700 === 699) time += 90_000
    return next()
  })
  expect([...ids].sort()).toEqual(ids)
  expect(new Set(ids.map(id => id.slice(-8))).size).toBeGreaterThan(1990)
})

test('two generators create different identifiers at the same time', () => {
  const [a, b] = [createUuidGenerator(() => 1), createUuidGenerator(() => 1)]
  expect(a()).not.toBe(b())
})
