import { constants } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Gives files that root has created in another user's directory to that user, whose programs could
 * not open them otherwise. Looks one level deep; does nothing for other users than root.
 */
export async function keepOwner(directory: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(directory)
  if (uid === 0) return
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isFile()) await giveFile(path, uid, gid)
    if (!entry.isDirectory()) continue
    for (const name of await readdir(path)) await giveFile(join(path, name), uid, gid)
    await giveFile(path, uid, gid)
  }
}

/** Opens the file first, so that a link in its place cannot lead to another one. */
async function giveFile(path: string, uid: number, gid: number): Promise<void> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(path, flags).catch(() => undefined)
  if (file === undefined) return
  try {
    const found = await file.stat()
    const isOwn = found.isDirectory() || (found.isFile() && found.nlink === 1)
    if (isOwn && found.uid === 0) await file.chown(uid, gid)
  } finally {
    await file.close()
  }
}
