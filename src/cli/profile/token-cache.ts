import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeOwnDirectory } from '../../util/files/make-directory.js'
import { parseJson } from '../../util/text/parse-json.js'
import type { KeyConnection, KeyKind } from './connection.js'

/** Milliseconds before its end from which a cached token is no longer used. */
const reserve = 5 * 60_000

interface CachedToken {
  readonly keys: string
  readonly token: string
  /** Milliseconds that the token lives after its last use. */
  readonly lifetime: number
}

/**
 * The token of a profile's key, in a file that only this user can read. The commands that run with
 * the profile share it; the file's modification time is the last use. A file that cannot be read or
 * written is no error: the command gets a token of its own.
 */
export class TokenCache {
  readonly #path: string
  readonly #keys: Promise<string>
  readonly #now: () => number

  constructor(
    dir: string,
    profile: string,
    { url, credentials: { user, password }, kind }: KeyConnection,
    now: () => number,
  ) {
    this.#keys = digestText(JSON.stringify([url, user, password]))
    this.#path = getTokenPath(dir, profile, kind)
    this.#now = now
  }

  /** Reads the token and records its use; undefined without a valid one. */
  async use(): Promise<string | undefined> {
    const cached = await this.#read()
    if (cached === undefined) return undefined
    const now = new Date(this.#now())
    await utimes(this.#path, now, now).catch(() => {})
    return cached.token
  }

  /**
   * Saves a token in place of the `rejected` one. False if another command has saved one since, or
   * if the file cannot be written: then the caller must revoke its token in the end.
   */
  async save(token: string, lifetime: number, rejected?: string): Promise<boolean> {
    const present = await this.#read()
    if (present !== undefined && present.token !== rejected) return false
    const content: CachedToken = { keys: await this.#keys, token, lifetime }
    const temporary = `${this.#path}.${process.pid}.${crypto.randomUUID()}.tmp`
    try {
      await makeOwnDirectory(dirname(this.#path))
      await writeFile(temporary, JSON.stringify(content), { flag: 'wx', mode: 0o600 })
      // A link replaces no file: of several commands, the first one's token is saved.
      const hasFile = (await stat(this.#path).catch(() => undefined)) !== undefined
      await (hasFile ? rename : link)(temporary, this.#path)
      return true
    } catch {
      return false
    } finally {
      await rm(temporary, { force: true }).catch(() => {})
    }
  }

  async #read(): Promise<CachedToken | undefined> {
    const cached = await readToken(this.#path)
    if (cached === undefined || cached.keys !== (await this.#keys)) return undefined
    const lastUse = (await stat(this.#path).catch(() => undefined))?.mtimeMs ?? 0
    return lastUse + cached.lifetime - this.#now() > reserve ? cached : undefined
  }
}

/** Removes the cached tokens of a profile, and returns them so that the caller can revoke them. */
export async function removeTokens(dir: string, profile: string): Promise<readonly string[]> {
  const tokens: string[] = []
  for (const kind of ['api', 'app'] as const) {
    const path = getTokenPath(dir, profile, kind)
    const cached = await readToken(path)
    if (cached !== undefined) tokens.push(cached.token)
    await rm(path, { force: true }).catch(() => {})
  }
  return tokens
}

export async function renameTokens(dir: string, from: string, to: string): Promise<void> {
  for (const kind of ['api', 'app'] as const) {
    await rename(getTokenPath(dir, from, kind), getTokenPath(dir, to, kind)).catch(() => {})
  }
}

/** SHA-256 in base64url, without node:crypto, which a command would load for nothing else. */
async function digestText(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Buffer.from(digest).toString('base64url')
}

function getTokenPath(dir: string, profile: string, kind: KeyKind): string {
  return join(dir, 'tokens', `${profile}.${kind}.json`)
}

async function readToken(path: string): Promise<CachedToken | undefined> {
  const value = parseJson(await readFile(path, 'utf8').catch(() => ''))
  return isCachedToken(value) ? value : undefined
}

function isCachedToken(value: unknown): value is CachedToken {
  if (typeof value !== 'object' || value === null) return false
  const { keys, token, lifetime } = value as Record<string, unknown>
  return typeof keys === 'string' && typeof token === 'string' && typeof lifetime === 'number'
}
