import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'

/** Compares lines with those in the files of a folder, which has no others. */
export async function expectFiles(
  folder: string,
  files: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  for (const [name, lines] of files)
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`${folder}/${name}.txt`)
  const found = readdirSync(join(import.meta.dirname, folder))
  expect(found.sort(), 'files').toEqual([...files.keys()].map(name => `${name}.txt`).sort())
}
