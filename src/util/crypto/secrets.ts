// Secrets and random numbers.
// - secrets: creates, hashes, compares and signs with secrets
// - password-hash: scrypt
// - uuid-v7: identifiers that sort by time
// - seeded-random: repeatable random numbers

import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Creates a random secret of 256 bits in base64url, after a prefix that names its kind. */
export function createSecret(prefix = ''): string {
  return prefix + randomBytes(32).toString('base64url')
}

/** Creates a random signing secret of 192 bits, as in Standard Webhooks: `whsec_` and base64. */
export function createSigningSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`
}

/** SHA-256 of a text in base64url. */
export function hashText(text: string): string {
  return hash('sha256', text, 'base64url')
}

/** HMAC-SHA256 of a text (RFC 2104) in base64. */
export function signText(key: Uint8Array, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64')
}

/** Compares two texts in a time that does not depend on where they differ. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'))
}

const base32 = 'abcdefghijklmnopqrstuvwxyz234567'

/** Creates a random secret of 160 bits in lower-case base32 (RFC 4648, section 6). */
export function createLowercaseSecret(): string {
  const bits = [...randomBytes(20)].map(byte => byte.toString(2).padStart(8, '0')).join('')
  return bits.replace(/.{5}/g, group => base32[Number.parseInt(group, 2)] ?? '')
}
