import { expect, test } from 'vitest'
import { fuzzSmpp } from '../../../tools/fuzz/smpp-fuzz.js'

test('mutated PDUs only cause PduErrors, and others are read as they were written', () => {
  const { pdus, decoded } = fuzzSmpp({ pdus: 20_000, seed: 34 })
  expect(pdus).toBeGreaterThanOrEqual(20_000)
  expect(decoded).toBeGreaterThan(1000)
})
