import { existsSync, readFileSync } from 'node:fs'

/** Writes some of the bytes and throws ENOSPC if the disk is full. */
export function assertSpace(path: string | undefined, writeSome: () => void): void {
  if (stateOf(path) !== 'full') return
  writeSome()
  throw diskError('ENOSPC', 'no space left on device, write')
}

/** Throws EIO if the disk is failing. */
export function assertSyncs(path: string | undefined): void {
  if (stateOf(path) === 'failing') throw diskError('EIO', 'i/o error, fdatasync')
}

function stateOf(path: string | undefined): string {
  return path !== undefined && existsSync(path) ? readFileSync(path, 'utf8') : ''
}

function diskError(code: string, text: string): Error {
  return Object.assign(new Error(`${code}: ${text}`), { code })
}
