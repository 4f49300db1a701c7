import { test } from 'vitest'
import { createPostgresDatabase } from './postgres-rig.js'

test('two nodes open one empty database', async () => {
  const database = await createPostgresDatabase()
  await Promise.all([database.open(), database.open()])
})
