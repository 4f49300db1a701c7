import { expect, test } from 'vitest'
import DataRepair from '../../commands/data/repair.js'
import DatabaseMigrate from '../../commands/database/migrate.js'
import DatabaseStatus from '../../commands/database/status.js'
import { openTestDatabase } from '../server/store/postgres/test-postgres.js'
import { run } from './harness.js'

test('a migration creates the tables once, and status shows their version', async () => {
  const env = { SMSRELAY_DATABASE_URL: await openTestDatabase() }
  const empty = await run(DatabaseStatus, [], { env })
  expect(empty.stdout).toContain('version 0, and this program needs')
  const named = await run(DatabaseStatus, ['-o', 'csv', '--columns', 'version,nodes'], { env })
  expect(named.stdout).toBe('version,nodes\r\n0,\r\n')
  const created = await run(DatabaseMigrate, [], {
    env: { SMSRELAY_DATABASE_URL: await openTestDatabase() },
  })
  expect(created.stdout).toMatch(/has schema version \d+ now; it was 0\.\n$/)
  const [first, second] = [
    await run(DatabaseMigrate, ['--json'], { env }),
    await run(DatabaseMigrate, ['--json'], { env }),
  ].map(({ stdout }) => JSON.parse(stdout))
  expect(first).toMatchObject({ before: 0, version: second.version })
  expect(second.before).toBe(second.version)
  const status = JSON.parse((await run(DatabaseStatus, ['--json'], { env })).stdout)
  expect(status).toMatchObject({ version: second.version, newest: second.version, nodes: [] })
})

test('without a database the commands end with 2', async () => {
  expect(await run(DatabaseStatus, [])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('The database is missing.'),
  })
})

test('commands on files refuse a database', async () => {
  const result = await run(DataRepair, ['--database', 'postgres://a@localhost/b'])
  expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining('--data') })
})
