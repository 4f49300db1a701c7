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
