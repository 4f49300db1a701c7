import { expect, test } from 'vitest'
import { chooseOutput } from '../../../src/cli/output/choose-output.js'
import type { Column } from '../../../src/cli/output/column.js'
import { RecordPrinter } from '../../../src/cli/output/record-printer.js'
import { testIo } from '../streams.js'

const columns: readonly Column<string>[] = [{ name: 'name', isId: true, read: name => name }]

test('a text for people has the records in the order of --sort, and its place', async () => {
  const io = testIo({ tty: true })
  const stdout = Object.assign(io.stdout, { columns: 40 })
  const choice = await chooseOutput({ output: 'table', sort: '-name' }, columns)
  const printer = new RecordPrinter(choice, { ...io, stdout })
  await printer.printValue(
    () => ({}),
    ['b', 'a', 'c'],
    (names, { width }) => [width, ...names].join(' '),
  )
  expect(io.out()).toBe('40 c b a\n')
})
