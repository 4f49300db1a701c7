import { hash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/** A random secret of 256 bits, base64url, behind a prefix that tells what it is. */
export function createSecret(prefix = ''): string {
  return prefix + randomBytes(32).toString('base64url')
}

/** A random secret of 192 bits for signing webhooks, as Standard Webhooks writes them: `whsec_` and base64. */
export function createSigningSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`
}

/** SHA-256 of a text, base64url. */
export function hashText(text: string): string {
  return hash('sha256', text, 'base64url')
}

/** Whether two texts are equal, in a time that does not depend on where they differ. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'))
}

/** What it takes to try a password: the parameters of scrypt (RFC 7914 section 2), N a power of two. */
export interface PasswordCost {
  readonly N: number
  readonly r: number
  readonly p: number
}

/** What a try takes unless it is said otherwise: 32 MiB and about a tenth of a second. */
export const defaultPasswordCost: PasswordCost = { N: 2 ** 15, r: 8, p: 1 }

/** A password as it is kept: scrypt (RFC 7914) with its parameters and a random salt. */
export async function hashPassword(password: string, cost = defaultPasswordCost): Promise<string> {
  const salt = randomBytes(16)
  return formatHash(cost, salt, await deriveKey(password, salt, cost))
}

/** A hash of no password at all that takes as long to check as one of that cost. */
export function createDummyHash(cost = defaultPasswordCost): string {
  return formatHash(cost, Buffer.alloc(16), Buffer.alloc(keyBytes))
}

/** Whether a password is the one that was kept. */
export async function verifyPassword(password: string, kept: string): Promise<boolean> {
  const [name, N, r, p, salt, key] = kept.split('$')
  if (name !== 'scrypt' || salt === undefined || key === undefined) return false
  const wanted = Buffer.from(key, 'base64url')
  const parameters = { N: Number(N), r: Number(r), p: Number(p) }
  return timingSafeEqual(
    await deriveKey(password, Buffer.from(salt, 'base64url'), parameters),
    wanted,
  )
}

const keyBytes = 32

function formatHash({ N, r, p }: PasswordCost, salt: Buffer, key: Buffer): string {
  return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

function deriveKey(password: string, salt: Buffer, { N, r, p }: PasswordCost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, key: Buffer): void => (error ? reject(error) : resolve(key))
    scrypt(password.normalize('NFKC'), salt, keyBytes, { N, r, p, maxmem: 256 * N * r }, done)
  })
}

const base32 = 'abcdefghijklmnopqrstuvwxyz234567'

/** A random secret of 160 bits in 32 characters that stay the same in lower case: base32 (RFC 4648 section 6). */
export function createLowercaseSecret(): string {
  const bits = [...randomBytes(20)].map(byte => byte.toString(2).padStart(8, '0')).join('')
  return bits.replace(/.{5}/g, group => base32[Number.parseInt(group, 2)] ?? '')
}
