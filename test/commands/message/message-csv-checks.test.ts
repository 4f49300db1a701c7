import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import MessageSend from '../../../commands/message/send.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { run, startSharedRelay } from '../harness.js'

const getService = startSharedRelay()

it('--fewer-parts and --flash are for all rows of a table', async () => {
  const file = join(await temporaryFolder(), 'a.csv')
  await writeFile(file, `destination,message\n5551212,“${'a'.repeat(80)}”\n`)
  const argv = ['--csv', file, '--dry-run', '--fewer-parts', '--flash', '--json']
  const { stdout } = await run(MessageSend, argv, { env: {} })
  const [row] = stdout.split('\n')
  const draft = { message: `"${'a'.repeat(80)}"`, flash: true }
  expect(JSON.parse(row ?? '')).toMatchObject({ ...draft, parts: 1, parts_before: 2 })
})

describe('message send --csv --dry-run', () => {
  it('prints rows, parts and problems without a relay', async () => {
    const folder = await temporaryFolder()
    const file = join(folder, 'a.csv')
    const long = 'x'.repeat(161)
    await writeFile(file, `to,message\n5551212,${long}\n5551213,ß☎\n,x\n`)
    const plain = await run(MessageSend, ['--csv', file, '--dry-run'], { env: {} })
    expect(plain.code).toBe(1)
    expect(plain.stdout.split('\n')).toEqual([
      `line 2  5551212  GSM-7  2 parts  ${long}`,
      'line 3  5551213  UCS-2  1 part  ß☎',
      expect.stringMatching(/^line 4 {2}./),
      '',
    ])
    expect(plain.stderr).toMatch(/^2 messages, 3 parts \(GSM-7: 1, UCS-2: 1\).*\n1 row .*\n$/)
    const argv = ['--csv', file, '--dry-run', '--skip-invalid', '--json']
    const json = await run(MessageSend, argv, { env: {} })
    expect(json).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(json.stdout.trim().split('\n').at(-1) ?? '')).toEqual({
      ...{ type: 'end', reason: 'dry-run', rows: 3, messages: 2, parts: 3 },
      ...{ alphabets: { 'GSM-7': 1, 'UCS-2': 1 }, invalid: 1 },
    })
  })
})

describe('usage errors of message send --csv', () => {
  it.each([
    ['a recipient', ['5551212', '--csv', 'x'], /recipient.*--csv/],
    ['--wait', ['--csv', 'x', '--wait'], /--wait/],
    ['--text without a file', ['5551212', 'x', '--text', 'y'], /--text.*--csv/],
    ['a missing file', ['--csv', '/nowhere/x.csv'], /\/nowhere\/x\.csv/],
    ['a directory', ['--csv', '/'], /\/ .*directory/],
    ['an invalid rate', ['--csv', 'x', '--rate', 'fast'], /--rate "fast"/],
    ['an invalid country', ['--csv', 'x', '--country', 'Germany'], /--country "Germany"/],
    ['an invalid encoding', ['--csv', 'x', '--encoding', 'klingon'], /--encoding "klingon"/],
    ['too many workers', ['--csv', 'x', '--concurrency', '65'], /--concurrency "65"/],
  ])('%s', async (_, argv, message) => {
    const result = await run(MessageSend, [...argv, ...getService().flags], getService())
    expect(result).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) })
    expect(result.stderr.trim().split('\n').length).toBe(1)
  })
})
