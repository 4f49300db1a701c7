import { expect, test } from 'vitest'
import { checkOpenFiles } from '../../src/server/open-files.js'

const format = (limit: string) =>
  `Limit                     Soft Limit           Hard Limit           Units
Max processes             4096                 4096                 processes
Max open files            ${limit.padEnd(20)} 1048576              files
`

test.each([
  ['1024', 10_000],
  ['10999', 10_000],
])('a limit of %s open files is too low for %i connections', async (limit, connections) => {
  const warning = await checkOpenFiles(connections, async () => format(limit))
  for (const value of [limit, connections, connections + 1000, '--max-connections']) {
    expect(warning).toContain(String(value))
  }
})

test.each(['11000', '1048576', 'unlimited'])('a limit of %s open files is enough', async limit => {
  expect(await checkOpenFiles(10_000, async () => format(limit))).toBeUndefined()
})

test('an unknown limit of open files is no warning', async () => {
  expect(await checkOpenFiles(1, async () => '')).toBeUndefined()
  const reject = async () => await Promise.reject(new Error('ENOENT'))
  expect(await checkOpenFiles(1, reject)).toBeUndefined()
})

test('the limit of this process is read', async () => {
  const warning = await checkOpenFiles(2 ** 31 - 1)
  if (process.platform === 'linux') expect(warning).toContain('ulimit -n')
})
