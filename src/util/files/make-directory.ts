import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { becomeOwner } from './become-owner.js'

/**
 * Creates a directory and the missing ones above it. Throws the error of the system. With the
 * option `recursive`, `mkdir` of Node repeats without end where the system says ENOENT although the
 * directory above exists, as in `/proc`.
 */
export async function makeDirectory(path: string, mode = 0o700): Promise<void> {
  try {
    await mkdir(path, { mode })
  } catch (error) {
    if (await isDirectory(path)) return
    const parent = dirname(path)
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    if (!isMissing || (await isDirectory(parent))) throw error
    await makeDirectory(parent, mode)
    await makeDirectory(path, mode)
  }
}

/** As {@link makeDirectory}, for a command; one of root first becomes the user of the directory. */
export async function makeOwnDirectory(path: string): Promise<void> {
  becomeOwner(path)
  await makeDirectory(path)
}

async function isDirectory(path: string): Promise<boolean> {
  return await stat(path).then(
    found => found.isDirectory(),
    () => false,
  )
}
