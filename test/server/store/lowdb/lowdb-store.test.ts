import { describe } from 'vitest'
import { temporaryFolder } from '../../../temporary-folder.js'
import { isFullRun } from '../../../tier.js'
import { testStore } from '../suite/store-suite.js'
import type { TestDatabase } from '../suite/test-database.js'
import { openCopy, openStore } from './lowdb-rig.js'

/** Most tests open a store again, so that both read journals, and the second one snapshots too. */
const cases: [string, number][] = [
  ...(isFullRun ? ([['without compaction', Number.POSITIVE_INFINITY]] as [string, number][]) : []),
  ['with a compaction at each start', 0],
]

describe.each(cases)('the embedded store %s', (_, compactAbove) => {
  testStore(async (): Promise<TestDatabase> => {
    const folder = await temporaryFolder()
    return {
      open: async options => await openStore(folder, { compactAbove, ...options }),
      openCopy: async options => await openCopy(folder, { compactAbove, ...options }),
    }
  })
})
