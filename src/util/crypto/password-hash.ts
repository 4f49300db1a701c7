import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/** Parameters of scrypt (RFC 7914, section 2); N is a power of 2. */
export interface PasswordCost {
  readonly N: number
  readonly r: number
  readonly p: number
}

/** Default cost of a password's hash: 32 MiB and about a tenth of a second for a check. */
export const defaultPasswordCost: PasswordCost = { N: 2 ** 15, r: 8, p: 1 }

const keyBytes = 32
const saltBytes = 16

/** Hashes a password with scrypt (RFC 7914) and a random salt; the result names its parameters. */
export async function hashPassword(password: string, cost = defaultPasswordCost): Promise<string> {
  const salt = randomBytes(saltBytes)
  return formatHash(cost, salt, await deriveKey(password, salt, cost))
}

/** Creates a hash that matches no password and takes as long to check as a real one. */
export function createDummyHash(cost = defaultPasswordCost): string {
  return formatHash(cost, Buffer.alloc(saltBytes), Buffer.alloc(keyBytes))
}

export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [name, N, r, p, salt, key] = stored.split('$')
  if (name !== 'scrypt' || salt === undefined || key === undefined) return false
  const expected = Buffer.from(key, 'base64url')
  const cost = { N: Number(N), r: Number(r), p: Number(p) }
  return timingSafeEqual(await deriveKey(password, Buffer.from(salt, 'base64url'), cost), expected)
}

function formatHash({ N, r, p }: PasswordCost, salt: Buffer, key: Buffer): string {
  return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

function deriveKey(password: string, salt: Buffer, { N, r, p }: PasswordCost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, key: Buffer): void => (error ? reject(error) : resolve(key))
    scrypt(password.normalize('NFKC'), salt, keyBytes, { N, r, p, maxmem: 256 * N * r }, done)
  })
}
