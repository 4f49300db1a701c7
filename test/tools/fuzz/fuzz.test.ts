import { expect, test } from 'vitest'
import { fuzz } from '../../../tools/fuzz/fuzz.js'

test('node:http reads accepted requests in the same way, and each gets one reply', async () => {
  const { requests, accepted } = await fuzz({ requests: 20_000, seed: 9112 })
  expect(requests).toBeGreaterThanOrEqual(20_000)
  expect(accepted).toBeGreaterThan(10_000)
})
