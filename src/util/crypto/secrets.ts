import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

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

const base32 = 'abcdefghijklmnopqrstuvwxyz234567'

/** A random secret of 160 bits in 32 characters that stay the same in lower case: base32 (RFC 4648 section 6). */
export function createLowercaseSecret(): string {
  const bits = [...randomBytes(20)].map(byte => byte.toString(2).padStart(8, '0')).join('')
  return bits.replace(/.{5}/g, group => base32[Number.parseInt(group, 2)] ?? '')
}
