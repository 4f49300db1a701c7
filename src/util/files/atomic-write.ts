import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncDirectory } from './files.js'

/**
 * Writes a whole file that only this user may read, durably and at once: whoever opens the path, also after a crash,
 * finds the old content or the new. Not for two writers of one path at the same time.
 */
export async function writeFileAtomic(path: string, content: string): Promise<void> {
  await writeFileAtomicWith(path, async file => await file.writeFile(content))
}

/** As {@link replaceFile}, with what `write` writes. */
export async function writeFileAtomicWith(
  path: string,
  write: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const temporary = `${path}.tmp`
  // What a crash left there may have other permissions.
  await rm(temporary, { force: true })
  const file = await open(temporary, 'wx', 0o600)
  try {
    await write(file)
    await file.sync()
  } catch (error) {
    await file.close().catch(() => {})
    await rm(temporary, { force: true }).catch(() => {})
    throw error
  }
  await file.close()
  await rename(temporary, path)
  await syncDirectory(dirname(path))
}
