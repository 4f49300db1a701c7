import { existsSync, readFileSync } from 'node:fs'

/** Throws ENOSPC if the disk is full; like a full disk, it first takes some of the bytes. */
export function assertSpace(path: string | undefined, takeSome: () => void): void {
  if (readDiskState(path) !== 'full') return
  takeSome()
  throw createDiskError('ENOSPC', 'no space left on device, write')
}

/** Throws EIO while the disk fails. */
export function assertSyncWorks(path: string | undefined): void {
  if (readDiskState(path) === 'failing') throw createDiskError('EIO', 'i/o error, fdatasync')
}

function readDiskState(path: string | undefined): string {
  return path !== undefined && existsSync(path) ? readFileSync(path, 'utf8') : ''
}

function createDiskError(code: string, text: string): Error {
  return Object.assign(new Error(`${code}: ${text}`), { code })
}
