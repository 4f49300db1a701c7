import { stat } from 'node:fs/promises'

/** Returns a text that changes when the file is written or replaced; empty without the file. */
export async function readFileVersion(path: string): Promise<string> {
  const found = await stat(path, { bigint: true }).catch(() => undefined)
  return found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeNs}`
}
