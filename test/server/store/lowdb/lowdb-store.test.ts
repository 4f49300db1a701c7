import { describe } from 'vitest'
import { temporaryFolder } from '../../../temporary-folder.js'
import { testStore } from '../suite/store-suite.js'
import type { TestDatabase } from '../suite/test-database.js'
import { openCopy, openStore } from './lowdb-rig.js'

describe.each([
  ['without compaction', Number.POSITIVE_INFINITY],
  ['with a compaction at each start', 0],
])('the embedded store %s', (_, compactAbove) => {
  testStore(async (): Promise<TestDatabase> => {
    const folder = await temporaryFolder()
    return {
      open: async options => await openStore(folder, { compactAbove, ...options }),
      openCopy: async options => await openCopy(folder, { compactAbove, ...options }),
    }
  })
})
