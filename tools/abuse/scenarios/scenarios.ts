import { manySubscriptions } from './many-subscriptions.js'
import type { Scenario } from './scenario.js'

/** The rows of the table, in their order. */
export const scenarios: readonly Scenario[] = [manySubscriptions]
