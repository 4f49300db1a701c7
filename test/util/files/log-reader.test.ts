import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { array, assert, asyncProperty, constantFrom, oneof, string } from 'fast-check'
import { expect, test } from 'vitest'
import { readLinesBackward } from '../../../src/util/files/log-reader.js'
import { temporaryFolder } from '../../temporary-folder.js'

async function createPath(): Promise<string> {
  const folder = await temporaryFolder()
  return join(folder, 'file')
}

test('lines of any length are read backward', async () => {
  const path = await createPath()
  const line = constantFrom('', 'a', 'é', 'x'.repeat(1000), 'é'.repeat(40_000), 'y'.repeat(200_000))
  await assert(
    asyncProperty(array(line, { maxLength: 12 }), oneof(string(), line), async (lines, torn) => {
      const last = torn.replaceAll('\n', '')
      await writeFile(path, lines.map(each => `${each}\n`).join('') + last)
      const expected = [...lines, last].filter(each => each !== '').reverse()
      expect(await collect(path)).toEqual(expected)
    }),
    { numRuns: 60 },
  )
})

async function collect(path: string): Promise<string[]> {
  const lines: string[] = []
  for await (const line of readLinesBackward(path)) lines.push(line)
  return lines
}
