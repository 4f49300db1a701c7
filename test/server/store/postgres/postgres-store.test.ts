import { test } from 'vitest'
import { createDatabaseAt } from './postgres-rig.js'
import { openTestDatabase } from './test-postgres.js'

test('two nodes open one empty database', async () => {
  const database = createDatabaseAt(await openTestDatabase())
  await Promise.all([database.open(), database.open()])
})
