import { join } from 'node:path'
import { JsonFile } from '../../util/files/json-file.js'

/** The file with a phone's token, so that a restart need not sign in again. */
interface TokenFile {
  /** The phone's last token; undefined if it was for other keys. */
  read(): Promise<string | undefined>
  write(token: string): Promise<void>
}

interface StoredToken {
  readonly token: string
  /** Hash of the phone's user and application key that the stored token was issued for. */
  readonly keys: string
}

export function openTokenFile(directory: string, keys: string): TokenFile {
  const file = new JsonFile<StoredToken>(join(directory, 'token'), {
    content: 'The token',
    isValid: isStoredToken,
    damagedHint: 'Remove the file; the phone then signs in again.',
    writeHint: 'Choose another directory with --journal.',
    checksum: true,
  })
  return {
    read: async () => {
      const stored = await file.read().catch(() => undefined)
      return stored?.keys === keys ? stored.token : undefined
    },
    write: async token => await file.write({ token, keys }),
  }
}

function isStoredToken(value: unknown): value is StoredToken {
  const { token, keys } = (value ?? {}) as Partial<StoredToken>
  return typeof token === 'string' && typeof keys === 'string'
}
