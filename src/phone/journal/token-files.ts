import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { JsonFile } from '../../util/files/json-file.js'

/** Tokens of the workers that phones of earlier versions had beyond the first. */
export interface FormerTokens {
  list(): Promise<readonly string[]>
  /** Removes the file of such a token. */
  remove(token: string): Promise<void>
}

/** The file with a phone's token, so that a restart need not sign in again. */
interface TokenFiles {
  /** The phone's last token; undefined if it was for other keys. */
  read(): Promise<string | undefined>
  /** Stores the phone's token. Throws `configuration`. */
  write(token: string): Promise<void>
  readonly former: FormerTokens
}

interface StoredToken {
  readonly token: string
  /** Hash of the phone's user and application key that the stored token was issued for. */
  readonly keys: string
}

/** The files `token-N` in the phone's journal directory; a damaged one counts as missing. */
export function openTokenFiles(directory: string, keys: string): TokenFiles {
  const openFile = (name: string) =>
    new JsonFile<StoredToken>(join(directory, name), {
      content: 'The token',
      isValid: isStoredToken,
      damagedHint: 'Remove the file; the phone then signs in again.',
      writeHint: 'Choose another directory with --journal.',
      checksum: true,
    })
  const read = async (name: string) => {
    const stored = await openFile(name)
      .read()
      .catch(() => undefined)
    return stored?.keys === keys ? stored.token : undefined
  }
  const readFormer = async () => {
    const names = await readdir(directory).catch(() => [])
    const former = names.filter(name => /^token-[1-9]\d*$/.test(name))
    return await Promise.all(former.map(async name => ({ name, token: await read(name) })))
  }
  return {
    read: async () => await read('token-0'),
    write: async token => await openFile('token-0').write({ token, keys }),
    former: {
      list: async () => (await readFormer()).flatMap(({ token }) => token ?? []),
      remove: async token => {
        const files = (await readFormer()).filter(each => each.token === token)
        for (const { name } of files) await rm(join(directory, name), { force: true })
      },
    },
  }
}

function isStoredToken(value: unknown): value is StoredToken {
  const { token, keys } = (value ?? {}) as Partial<StoredToken>
  return typeof token === 'string' && typeof keys === 'string'
}
