import { join } from 'node:path'
import { JsonFile } from '../../util/files/json-file.js'

/** Files with the tokens of a phone's workers, so that a restart need not sign in again. */
export interface TokenFiles {
  /** The last token of a phone worker, counted from 0; undefined if it was for other keys. */
  read(worker: number): Promise<string | undefined>
  /** Stores the token of a phone worker. Throws `configuration`. */
  write(worker: number, token: string): Promise<void>
}

interface StoredToken {
  readonly token: string
  /** Hash of the phone's user and application key that the stored token was issued for. */
  readonly keys: string
}

/** The files `token-N` in the phone's journal directory; a damaged one counts as missing. */
export function openTokenFiles(directory: string, keys: string): TokenFiles {
  const openFile = (worker: number) =>
    new JsonFile<StoredToken>(join(directory, `token-${worker}`), {
      content: 'The token',
      isValid: isStoredToken,
      damagedHint: 'Remove the file; the phone then signs in again.',
      writeHint: 'Choose another directory with --journal.',
      checksum: true,
    })
  return {
    read: async worker => {
      const stored = await openFile(worker)
        .read()
        .catch(() => undefined)
      return stored?.keys === keys ? stored.token : undefined
    },
    write: async (worker, token) => await openFile(worker).write({ token, keys }),
  }
}

function isStoredToken(value: unknown): value is StoredToken {
  const { token, keys } = (value ?? {}) as Partial<StoredToken>
  return typeof token === 'string' && typeof keys === 'string'
}
