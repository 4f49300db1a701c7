import { stat } from 'node:fs/promises'

/** Whether users other than the owner may look into a directory; never so where the system has no such modes. */
export async function isOpenToOthers(directory: string): Promise<boolean> {
  if (process.platform === 'win32') return false
  return ((await stat(directory)).mode & 0o077) !== 0
}
