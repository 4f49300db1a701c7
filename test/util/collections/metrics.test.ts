import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Metrics } from '../../../src/util/collections/metrics.js'

it('adds to counters, sets gauges and retains maxima', () => {
  const metrics = new Metrics()
  metrics.increment('requests_total')
  metrics.increment('requests_total', 4)
  metrics.set('backlog', 7)
  metrics.set('backlog', 2)
  metrics.setMaximum('longest', -3)
  metrics.setMaximum('longest', 5)
  metrics.setMaximum('longest', 4)
  expect(metrics.values()).toEqual({ requests_total: 5, backlog: 2, longest: 5 })
})

it('does not call a source again before it has ended, and calls the others', async () => {
  const metrics = new Metrics()
  const calls = { slow: 0, quick: 0 }
  metrics.addSource(async () => {
    calls.slow += 1
    await new Promise<never>(() => {})
  })
  metrics.addSource(() => {
    calls.quick += 1
  })
  void metrics.collect()
  await nextTurn()
  void metrics.collect()
  expect(calls).toEqual({ slow: 1, quick: 2 })
})

it('a source that fails changes nothing, and is called again', async () => {
  const metrics = new Metrics()
  let calls = 0
  metrics.addSource(() => {
    calls += 1
    throw new Error('no')
  })
  await metrics.collect()
  await metrics.collect()
  expect(calls).toBe(2)
})
