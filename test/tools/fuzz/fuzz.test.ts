import { expect, test } from 'vitest'
import { fuzz } from '../../../tools/fuzz/fuzz.js'

test('node:http reads what our server accepts in the same way, and each request gets a reply', async () => {
  const { requests, accepted } = await fuzz({ requests: 20_000, seed: 9112 })
  expect(requests).toBeGreaterThanOrEqual(20_000)
  expect(accepted).toBeGreaterThan(10_000)
})
