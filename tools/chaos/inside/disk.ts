import { existsSync, readFileSync } from 'node:fs'

/** What a disk without room does: it takes some of the bytes, and then none. Throws ENOSPC. */
export function roomFor(path: string | undefined, takeSome: () => void): void {
  if (stateOf(path) !== 'full') return
  takeSome()
  throw refusal('ENOSPC', 'no space left on device, write')
}

/** Throws EIO while the disk fails. */
export function assertSyncs(path: string | undefined): void {
  if (stateOf(path) === 'failing') throw refusal('EIO', 'i/o error, fdatasync')
}

function stateOf(path: string | undefined): string {
  return path !== undefined && existsSync(path) ? readFileSync(path, 'utf8') : ''
}

function refusal(code: string, text: string): Error {
  return Object.assign(new Error(`${code}: ${text}`), { code })
}
