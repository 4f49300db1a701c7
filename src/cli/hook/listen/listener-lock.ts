import { randomBytes } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isRelayError, RelayError } from '../../../errors.js'
import { lockDirectory } from '../../../util/files/directory-lock.js'

export interface ListenerLock {
  /** Part of the path of each webhook of this listener. */
  readonly key: string
  release(keepsKey: boolean): Promise<void>
}

/** Milliseconds after which a directory that no listener uses is removed. */
const forgottenAfter = 24 * 60 * 60_000

/**
 * Locks the first of the keys that an earlier listener has left in the directory and that no
 * running one uses, or else a new key. Another machine can have the same name, but not the keys.
 */
export async function lockListenerKey(
  stateDir: string,
  keys: ReadonlySet<string>,
): Promise<ListenerLock> {
  await removeForgottenKeys(stateDir, keys)
  for (const key of keys) {
    const isLeft = await exists(getDirectory(stateDir, key))
    const lock = isLeft ? await tryLockKey(stateDir, key) : undefined
    if (lock !== undefined) return lock
  }
  return await lockKey(stateDir, randomBytes(9).toString('base64url'))
}

async function tryLockKey(stateDir: string, key: string): Promise<ListenerLock | undefined> {
  try {
    return await lockKey(stateDir, key)
  } catch (error) {
    if (isRelayError(error, 'directory_in_use')) return undefined
    // Its listener has ended and removed the directory in this moment.
    if (!(await exists(getDirectory(stateDir, key)))) return undefined
    throw error
  }
}

/**
 * Removes the directories of killed listeners whose subscriptions no relay has any more. Another
 * relay may still have those of a listener that started within a day.
 */
async function removeForgottenKeys(stateDir: string, keys: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(stateDir).catch(() => [])) {
    const key = /^listen-([\w-]{12})$/.exec(name)?.[1]
    if (key === undefined || keys.has(key)) continue
    const found = await stat(getDirectory(stateDir, key)).catch(() => undefined)
    if (found === undefined || Date.now() - found.mtimeMs < forgottenAfter) continue
    // One that cannot be locked or removed is in use, or another user's.
    const lock = await tryLockKey(stateDir, key).catch(() => undefined)
    await lock?.release(false).catch(() => {})
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined
}

async function lockKey(stateDir: string, key: string): Promise<ListenerLock> {
  const directory = getDirectory(stateDir, key)
  const lock = await lockDirectory(directory).catch(error => {
    throw toStateError(error)
  })
  return {
    key,
    release: async keepsKey => {
      const remove = async (): Promise<void> => {
        if (!keepsKey) await rm(directory, { recursive: true, force: true })
      }
      // After the release it may belong to a new listener; Windows cannot remove it before.
      const isWindows = process.platform === 'win32'
      try {
        if (!isWindows) await remove()
      } finally {
        await lock.release()
      }
      if (isWindows) await remove()
    },
  }
}

function getDirectory(stateDir: string, key: string): string {
  return join(stateDir, `listen-${key}`)
}

function toStateError(cause: unknown): unknown {
  if (!isRelayError(cause, 'configuration')) return cause
  const hint = 'Choose another directory with --state or SMSRELAY_STATE_DIR.'
  return new RelayError('configuration', cause.message, { hint, cause })
}
