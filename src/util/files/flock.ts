import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync } from 'node:fs'
import { join } from 'node:path'
import { RelayError } from '../../errors.js'
import { isMissingFile } from './file-error.js'

const { O_CREAT, O_DIRECTORY, O_NONBLOCK, O_RDONLY, O_RDWR } = constants
/** UV_FS_O_EXLOCK of libuv: no other process can open or remove the file. */
const windowsFlags = O_RDWR | O_CREAT | 0x1000_0000
/** O_EXLOCK of fcntl.h. */
const bsdFlags = O_RDONLY | O_NONBLOCK | 0x20
const bsdSystems = ['darwin', 'freebsd', 'netbsd', 'openbsd']

/** A lock of the operating system, which also ends with this process. */
export interface Flock {
  release(): void
}

/**
 * Locks an existing directory with flock(2); undefined if another process, or this one, has locked
 * it. The lock belongs to the directory itself: it holds under every path of the directory, in
 * every container, and no file has to exist for it. On Windows the lock is that of a file in it,
 * which cannot be removed meanwhile. Throws `configuration` if the directory cannot be locked.
 */
export async function tryFlock(directory: string): Promise<Flock | undefined> {
  const { platform } = process
  if (platform === 'win32') return tryOpenLocked(join(directory, 'lock'), windowsFlags, 'EBUSY')
  if (bsdSystems.includes(platform)) return tryOpenLocked(directory, bsdFlags, 'EAGAIN')
  const flock = toFlock(openSync(directory, O_RDONLY | O_DIRECTORY))
  try {
    if (await lockDescriptor(flock.descriptor, directory)) return flock
  } catch (error) {
    flock.release()
    throw error
  }
  flock.release()
  return undefined
}

function tryOpenLocked(path: string, flags: number, conflict: string): Flock | undefined {
  try {
    return toFlock(openSync(path, flags))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === conflict) return undefined
    throw error
  }
}

function toFlock(descriptor: number): Flock & { readonly descriptor: number } {
  let isOpen = true
  const release = (): void => {
    if (isOpen) closeSync(descriptor)
    isOpen = false
  }
  return { descriptor, release }
}

/**
 * Node cannot call flock(2); the program `flock` (util-linux, busybox) calls it for the descriptor
 * that it inherits. The lock belongs to the open file, so it stays when the program has ended.
 */
async function lockDescriptor(descriptor: number, directory: string): Promise<boolean> {
  const path = `${process.env.PATH ?? ''}:/usr/bin:/bin`
  const program = spawn('flock', ['-n', '-x', '3'], {
    env: { ...process.env, PATH: path },
    stdio: ['ignore', 'ignore', 'pipe', descriptor],
  })
  let output = ''
  program.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const [code] = await once(program, 'close').catch(error => {
    throw cannotLockError(directory, error)
  })
  if (code === 0) return true
  if (code === 1 && output === '') return false
  throw cannotLockError(directory, new Error(output.trim()))
}

function cannotLockError(directory: string, error: unknown): RelayError {
  const isMissing = isMissingFile(error)
  const cause = isMissing ? new Error('the program flock is missing') : (error as Error)
  const message = `The directory ${directory} cannot be locked (${cause.message}).`
  const hint = isMissing
    ? 'Install flock, for example with the package util-linux.'
    : 'Choose a directory on a local disk.'
  return new RelayError('configuration', message, { hint, cause })
}
