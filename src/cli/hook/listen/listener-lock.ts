import { randomBytes } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isRelayError, RelayError } from '../../../errors.js'
import { lockDirectory } from '../../../util/files/directory-lock.js'

/** Shows other listeners on this machine that the subscriptions with a key are in use. */
export interface ListenerLock {
  /** Part of the path of each webhook of this listener. */
  readonly key: string
  /** @param keepsKey whether the next listener can take over the subscriptions with the key */
  release(keepsKey: boolean): Promise<void>
}

/**
 * Locks the first of the keys that an earlier listener has left in the directory and that no
 * running one uses, or else a new key. Another machine can have the same name, but not the keys.
 */
export async function lockListenerKey(
  stateDir: string,
  keys: Iterable<string>,
): Promise<ListenerLock> {
  for (const key of keys) {
    const isLeft = await stat(getDirectory(stateDir, key)).catch(() => undefined)
    const lock = isLeft && (await tryLockKey(stateDir, key))
    if (lock !== undefined) return lock
  }
  return await lockKey(stateDir, randomBytes(9).toString('base64url'))
}

async function tryLockKey(stateDir: string, key: string): Promise<ListenerLock | undefined> {
  try {
    return await lockKey(stateDir, key)
  } catch (error) {
    if (isRelayError(error, 'directory_in_use')) return undefined
    throw error
  }
}

async function lockKey(stateDir: string, key: string): Promise<ListenerLock> {
  const directory = getDirectory(stateDir, key)
  const lock = await lockDirectory(directory).catch(error => {
    throw toStateError(error)
  })
  return {
    key,
    release: async keepsKey => {
      await lock.release()
      if (!keepsKey) await rm(directory, { recursive: true, force: true })
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
