import { ProblemList } from '../../src/domain/account/problem-list.js'
import { Metrics } from '../../src/util/collections/metrics.js'

/** The parts of a service context that observe the relay. */
export function createObservers(): { metrics: Metrics; problems: ProblemList } {
  return { metrics: new Metrics(), problems: new ProblemList() }
}
