import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import DoNotTextAdd from '../../commands/do-not-text/add.js'
import DoNotTextExport from '../../commands/do-not-text/export.js'
import DoNotTextImport from '../../commands/do-not-text/import.js'
import DoNotTextList from '../../commands/do-not-text/list.js'
import DoNotTextRemove from '../../commands/do-not-text/remove.js'
import { temporaryFolder } from '../temporary-folder.js'
import { run, startRelay, startSharedRelay } from './harness.js'

const keys = ['number', 'added_on', 'scope', 'reason', 'by', 'note']

async function fileWith(content: string): Promise<string> {
  const file = join(await temporaryFolder(), 'list.csv')
  await writeFile(file, content)
  return file
}

describe('do-not-text', () => {
  const shared = startSharedRelay()

  it.each(['account', 'service'])('adds, lists and removes numbers of the %s', async scope => {
    const fixture = shared()
    const where = scope === 'service' ? ['--service', '--data', fixture.dataDir] : fixture.flags
    const argv = [...where, '--json']
    const added = await run(DoNotTextAdd, ['+12025550123', ...argv], fixture)
    expect(added).toMatchObject({ code: 0, stderr: '' })
    const entry = JSON.parse(added.stdout)
    expect(Object.keys(entry).sort()).toEqual([...keys].sort())
    expect(entry).toMatchObject({ number: '+12025550123', scope })
    const listed = await run(DoNotTextList, argv, fixture)
    expect(JSON.parse(listed.stdout)).toEqual([entry])
    const removed = await run(DoNotTextRemove, ['+12025550123', ...argv], fixture)
    expect(JSON.parse(removed.stdout)).toEqual(entry)
    expect((await run(DoNotTextList, argv, fixture)).stdout).toBe('[]\n')
  })

  it('accepts --data only with --service', async () => {
    const argv = ['--data', '/tmp/x', ...shared().flags, '--json']
    const result = await run(DoNotTextList, argv, shared())
    expect(result.code).toBe(2)
  })

  it.each(['account', 'service'])(
    'records note, reason and author on the list of the %s',
    async scope => {
      const fixture = await startRelay()
      const where = scope === 'service' ? ['--service', '--data', fixture.dataDir] : fixture.flags
      const argv = ['+12025550123', '--note', 'asked by telephone', ...where]
      expect(await run(DoNotTextAdd, argv, fixture)).toMatchObject({ code: 0 })
      const { stdout } = await run(DoNotTextList, where, fixture)
      const who = scope === 'service' ? /person +administration/ : /api +api key/
      expect(stdout).toMatch(who)
      expect(stdout).toContain('asked by telephone')
      const long = ['+12025550124', '--note', 'x'.repeat(201), ...where]
      const rejected = await run(DoNotTextAdd, long, fixture)
      expect([rejected.code, rejected.stderr]).toEqual([1, expect.stringContaining('note')])
    },
  )

  it.each(['account', 'service'])(
    'imports into the list of the %s what it exports',
    async scope => {
      const fixture = await startRelay()
      const where = scope === 'service' ? ['--service', '--data', fixture.dataDir] : fixture.flags
      const rows = Array.from(
        { length: 1203 },
        (_, n) => `+1202555${1000 + n},"=no ""${n}""",,stop`,
      )
      const file = await fileWith(rows.join('\r\n'))
      const trial = await run(DoNotTextImport, [file, '--dry-run', ...where], fixture)
      expect(trial).toMatchObject({ code: 0, stdout: expect.stringContaining('1203') })
      expect((await run(DoNotTextExport, where, fixture)).stdout.split('\r\n')).toHaveLength(2)
      const result = await run(DoNotTextImport, [file, ...where, '--json'], fixture)
      expect(JSON.parse(result.stdout)).toEqual({
        imported: true,
        added: 1203,
        listed: 0,
        invalid: [],
      })
      const { stdout } = await run(DoNotTextExport, where, fixture)
      const lines = stdout.split('\r\n')
      expect(lines).toHaveLength(1205)
      expect(lines[1]).toMatch(/^\+12025551000,"'=no ""0""",[-: \d]{19},stop,/)
      const other = await startRelay()
      const again = await run(DoNotTextImport, ['-', ...other.flags], { ...other, stdin: stdout })
      expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('1203') })
      const copied = (await run(DoNotTextExport, other.flags, other)).stdout.split('\r\n')
      const without = (line: string) => line.replace(/,[^,]*$/, '')
      expect(copied.map(without)).toEqual(lines.map(without))
    },
  )

  it('names invalid lines, and imports the others only with --skip-invalid', async () => {
    const fixture = await startRelay()
    const file = await fileWith(
      'number,note\n+12025550123,"a\nb"\nabc,\n+12025550124,,x\n+12025550123,again\n',
    )
    const result = await run(DoNotTextImport, [file, ...fixture.flags], fixture)
    expect(result.code).toBe(1)
    expect(result.stderr).toMatch(/^Line 4: `number` /)
    expect(result.stdout).toContain('--skip-invalid')
    const list = () => run(DoNotTextList, [...fixture.flags, '--json'], fixture)
    expect((await list()).stdout).toBe('[]\n')
    const skipped = await run(DoNotTextImport, [file, '--skip-invalid', ...fixture.flags], fixture)
    expect(skipped.code).toBe(0)
    expect(skipped.stdout.match(/\d+/g)).toEqual(['2', '1', '1'])
    expect(JSON.parse((await list()).stdout)).toHaveLength(2)
  })

  it('rejects a file that cannot be read', async () => {
    const files = { '/nowhere/x.csv': 2, [await fileWith('+1,"open\n')]: 1 }
    for (const [file, code] of Object.entries(files)) {
      const result = await run(DoNotTextImport, [file, ...shared().flags], shared())
      expect([result.code, result.stdout]).toEqual([code, ''])
    }
  })

  it('rejects an invalid number', async () => {
    const result = await run(DoNotTextAdd, ['hello', ...shared().flags, '--json'], shared())
    expect(result.code).toBe(1)
    expect(JSON.parse(result.stdout).error.code).toBe('invalid_parameter')
  })
})
