import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import DataCheck from '../../../commands/data/check.js'
import DataExport from '../../../commands/data/export.js'
import DataImport from '../../../commands/data/import.js'
import { createRelay } from '../../quick-relay.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { run, start } from '../harness.js'

test('an import from a file that is an argument is refused', async () => {
  const { code, stderr } = await run(DataImport, ['records.ndjson'])
  expect(code).toBe(2)
  expect(stderr).toBe('smsrelay: This command takes no arguments. See --help.\n')
})

describe('an import', () => {
  const account = {
    ...{ id: 'a', email: 'a@example.com', passwordHash: 'p', secretKey: 's', appKey: 'k' },
    ...{ apiKeyHash: 'h', country: 'US', mode: 'at-least-once', createdAt: 1 },
    ...{ hookSecret: 'whsec_c2VjcmV0', ownerSince: 1 },
  }
  const valid = JSON.stringify({ kind: 'account', key: 'a', record: account })

  test.each([
    ['text that is not JSON', 'hello', 'line 1: line: '],
    ['a record of an unknown kind', `${valid}\n{"kind":"nothing"}`, 'line 2: kind: '],
    ['a wrong record', '{"kind":"token","key":"k","record":{}}\n', 'line 1: record.id: '],
    ['nothing', '', 'empty'],
  ])('of %s is refused and leaves nothing', async (_, stdin, reason) => {
    const folder = await temporaryFolder()
    for (const dataDir of [folder, join(folder, 'new')]) {
      const result = await run(DataImport, ['--data', dataDir], { stdin })
      expect(result).toMatchObject({ code: 1, stdout: '' })
      expect(result.stderr).toContain(reason)
      expect(await readdir(folder)).toEqual([])
    }
  })

  test('with --json lists the errors in the JSON', async () => {
    const flags = ['--data', join(await temporaryFolder(), 'new'), '--json']
    const { code, stdout } = await run(DataImport, flags, { stdin: '{}\n{}\n' })
    expect(code).toBe(1)
    const { error } = JSON.parse(stdout)
    expect(error.code).toBe('invalid_parameter')
    expect(error.details).toEqual([
      expect.stringContaining('line 1: kind: '),
      expect.stringContaining('line 2: kind: '),
    ])
  })

  test('that is interrupted while it reads leaves nothing', async () => {
    const folder = await temporaryFolder()
    const input = new PassThrough()
    const command = start(DataImport, ['--data', join(folder, 'new')], { input })
    input.write(`${valid}\n`)
    await new Promise(resolve => command.signals.once('newListener', resolve))
    command.signals.emit('SIGINT')
    expect((await command.ended).code).toBe(130)
    expect(await readdir(folder)).toEqual([])
  })

  test.each([
    ['before its snapshot', ['import.tmp']],
    ['while it wrote its snapshot', ['import.tmp', 'snapshot-000001.ndjson.tmp']],
    ['before its manifest', ['import.tmp', 'snapshot-000001.ndjson']],
    ['while it wrote its manifest', ['import.tmp', 'snapshot-000001.ndjson', 'manifest.json.tmp']],
  ])('that was killed %s has no data and can be repeated', async (_, names) => {
    const dataDir = await temporaryFolder()
    for (const name of names) await writeFile(join(dataDir, name), 'half of a file')
    expect((await run(DataCheck, ['--data', dataDir])).code).toBe(2)
    expect((await run(DataImport, ['--data', dataDir], { stdin: valid })).code).toBe(0)
    expect((await readdir(dataDir)).sort()).toEqual(['manifest.json', 'snapshot-000001.ndjson'])
    expect((await run(DataExport, ['--data', dataDir])).stdout).toBe(`${valid}\n`)
  })

  test('that was killed after its manifest is complete', async () => {
    const dataDir = await temporaryFolder()
    await run(DataImport, ['--data', dataDir], { stdin: valid })
    await writeFile(join(dataDir, 'import.tmp'), '')
    expect((await run(DataImport, ['--data', dataDir], { stdin: valid })).code).toBe(1)
    expect((await run(DataCheck, ['--data', dataDir])).code).toBe(0)
    await (await createRelay({ dataDir })).stop()
    expect(await readdir(dataDir)).not.toContain('import.tmp')
  })

  test('of an export with every kind is exported as the same bytes', async () => {
    const fixture = await readFile('test/fixtures/data-directory.records.ndjson', 'utf8')
    const meta = ['events', 'ada message.create'].map(key => ({ key, record: { seq: 11 } }))
    const lines = meta.map(each => JSON.stringify({ kind: 'meta', ...each }))
    const stdin = `${fixture}${lines.join('\n')}\n`
    const flags = ['--data', join(await temporaryFolder(), 'new')]
    expect((await run(DataImport, flags, { stdin })).code).toBe(0)
    const { stdout } = await run(DataExport, flags)
    expect(stdout).toBe(stdin)
    const kinds = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line).kind)
    expect([...new Set(kinds)]).toHaveLength(13)
  })
})
