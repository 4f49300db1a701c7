import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Reads the version of the program in the directory `root` of its package. `--version` does without
 * this file, because every file that it loads makes its start slower.
 */
export async function readVersion(root: string): Promise<string> {
  return JSON.parse(await readFile(join(root, 'package.json'), 'utf8')).version
}
