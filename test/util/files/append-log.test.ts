import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { AppendLog, appendToLog } from '../../../src/util/files/append-log.js'
import { encodeChecksumLine } from '../../../src/util/files/checksum-line.js'
import { readLog, readLogValues } from '../../../src/util/files/log-reader.js'
import { temporaryFolder } from '../../temporary-folder.js'

async function createPath(): Promise<string> {
  const folder = await temporaryFolder()
  return join(folder, 'new', 'log')
}

const lines = [1, 2, 3].map(encodeChecksumLine)
const length = lines.join('').length

test('a preallocated file has its content and line feeds, until it is closed', async () => {
  const path = join(await createPath(), '..', '..', 'log')
  const log = await AppendLog.create(path, Buffer.from('a\n'), { preallocate: 100 })
  await log.append(Buffer.from('b\n'))
  await log.append(Buffer.from('c\n'))
  expect(await readFile(path, 'utf8')).toBe(`a\nb\nc\n${'\n'.repeat(94)}`)
  expect([log.length, log.synced]).toEqual([6, 6])
  await log.close()
  expect((await stat(path)).size).toBe(6)
})

test('a line feed always follows the content of an open preallocated file', async () => {
  const path = join(await createPath(), '..', '..', 'log')
  let log = await AppendLog.create(path, Buffer.from('a\n'), { preallocate: 10 })
  for (const length of [7, 1, 1, 30, 1, 9, 10, 11]) {
    await log.append(Buffer.from(`${'x'.repeat(length - 1)}\n`))
    expect((await readFile(path)).subarray(log.length)[0]).toBe(10)
  }
  const { length } = log
  await log.close({ keepPreallocation: true })
  expect((await stat(path)).size).toBeGreaterThan(length)
  log = await AppendLog.open(path, { preallocate: 10, length: length - 3 })
  expect((await readFile(path)).subarray(log.length)[0]).toBe(10)
  await log.close()
  log = await AppendLog.open(path, { preallocate: 10 })
  expect((await stat(path)).size).toBeGreaterThan(log.length)
  await log.close()
})

test('appends to a closed log create the file and end a torn line', async () => {
  const path = await createPath()
  await appendToLog(path, 'a\n')
  await appendToLog(path, 'torn')
  await appendToLog(path, 'b\n')
  expect(await readFile(path, 'utf8')).toBe('a\ntorn\nb\n')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

test.each([
  ['whole lines', lines.join(''), { lines: 3, length, torn: 0, damage: [] }],
  ['preallocation', `${lines.join('')}\n\n\n`, { lines: 3, length, torn: 0, damage: [] }],
  ['a torn tail', `${lines.join('')}12345`, { lines: 4, length, torn: 5, damage: [] }],
  [
    'a damaged line',
    lines.join('').replace(' 2', ' 5'),
    { lines: 3, length, torn: 0, damage: [{ line: 2, bytes: 10 }] },
  ],
])('a log with %s is read', async (_, content, reading) => {
  const path = join(await createPath(), '..', '..', 'log')
  await writeFile(path, content)
  expect(await readLog(path, { allowTornTail: true }, () => {})).toEqual(reading)
  const isTorn = reading.torn > 0
  const strict = await readLog(path, { allowTornTail: false }, () => {})
  expect(strict.damage.length > 0).toBe(isTorn || reading.damage.length > 0)
})

test('the values of a log are those of its whole lines; a missing file has none', async () => {
  const path = join(await createPath(), '..', '..', 'log')
  expect(await readLogValues(path)).toEqual([])
  await writeFile(path, `${lines.join('').replace(' 2', ' 5')}torn`)
  expect(await readLogValues(path)).toEqual([1, 3])
})
