import { describe, expect, it } from 'vitest'
import { getBackoff } from '../../../src/util/async/backoff.js'
import { createSeededRandom } from '../../../src/util/crypto/seeded-random.js'

const limits = { first: 1000, max: 30_000 }

describe('getBackoff', () => {
  it.each([
    [1, 1, 1000],
    [1, 0, 500],
    [2, 0.5, 1500],
    [5, 1, 16_000],
    [6, 1, 30_000],
    [1_000_000, 1, 30_000],
    [1_000_000, 0, 15_000],
  ])('after failure %i with random %d waits %i ms', (failures, random, milliseconds) => {
    expect(getBackoff(failures, random, limits)).toBe(milliseconds)
  })
})

describe('createSeededRandom', () => {
  it('returns the same numbers for a seed, and others for another seed', () => {
    const ten = (seed: number) => Array.from({ length: 10 }, createSeededRandom(seed))
    expect(ten(1)).toEqual(ten(1))
    expect(ten(1)).not.toEqual(ten(2))
  })

  it('is distributed evenly over 0 to 1', () => {
    const random = createSeededRandom(7)
    const numbers = Array.from({ length: 10_000 }, random)
    const counts = Array.from({ length: 10 }, (_, tenth) => {
      return numbers.filter(each => Math.floor(each * 10) === tenth).length
    })
    for (const count of counts) expect(count).toBeGreaterThan(800)
  })
})
