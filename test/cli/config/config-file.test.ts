import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseConfigFile, readConfigFile } from '../../../src/cli/config/config-file.js'
import { temporaryFolder } from '../../temporary-folder.js'

const parse = async (...lines: string[]) => await parseConfigFile('relay.toml', lines.join('\n'))

test('each key has the line on which it begins', async () => {
  const { entries, problems } = await parse(
    '# port = 1',
    'host = "port = 2"',
    '"port" = 3',
    'hook-allow = [',
    '  "lease = 4",',
    ']',
    'retain = """',
    'lease = 5',
    '"""',
    'lease = 6 # lease = 7',
    '[web]',
    'port = 8',
  )
  expect(problems).toEqual([])
  expect(entries.map(({ key, line }) => [key, line])).toEqual([
    ['host', 2],
    ['port', 3],
    ['hook-allow', 4],
    ['retain', 7],
    ['lease', 10],
    ['web', 11],
  ])
})

test('every syntax error has its line and key, and the other lines are read', async () => {
  const { entries, problems } = await parse('port = ', 'lease = 5', 'host = x', 'lease = 6')
  expect(entries).toEqual([{ key: 'lease', value: 5, line: 2 }])
  expect(problems.map(({ file, line, key }) => [file, line, key])).toEqual([
    ['relay.toml', 1, 'port'],
    ['relay.toml', 3, 'host'],
    ['relay.toml', 4, 'lease'],
  ])
})

test('a byte order mark and Windows line ends are allowed', async () => {
  const { entries } = await parseConfigFile('relay.toml', '\uFEFFport = 1\r\nlease = 2\r\n')
  expect(entries.map(({ key, value }) => [key, value])).toEqual([
    ['port', 1],
    ['lease', 2],
  ])
})

test('a file that cannot be read is a usage error with its name', async () => {
  const path = join(await temporaryFolder(), 'none.toml')
  await expect(readConfigFile(path)).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining(path),
  })
})
