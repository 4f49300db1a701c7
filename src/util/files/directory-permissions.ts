import { stat } from 'node:fs/promises'

/** Whether other users may read a directory; always false on systems without such permissions. */
export async function isOpenToOthers(directory: string): Promise<boolean> {
  if (process.platform === 'win32') return false
  return ((await stat(directory)).mode & 0o077) !== 0
}
