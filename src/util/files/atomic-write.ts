import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Writes a whole file that only this user may read. Also after a crash, the path has the old
 * content or the new. Two writers must not write one path at the same time.
 */
export async function writeFileAtomic(path: string, content: string): Promise<void> {
  await writeFileAtomicWith(path, async file => await file.writeFile(content))
}

export async function writeFileAtomicWith(
  path: string,
  write: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const temporary = `${path}.tmp`
  // A temporary file left by a crash may have other permissions.
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

/** Makes the names in a directory durable. */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
