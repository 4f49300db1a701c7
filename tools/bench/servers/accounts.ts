/** The credentials of the account of every benchmark. */
export const keys = {
  secretKey: `srs_${'s'.repeat(43)}`,
  apiKey: `sra_${'a'.repeat(43)}`,
  appKey: `srp_${'p'.repeat(43)}`,
} as const

/** Its person, who signs in to the dashboard; the hash is a cheap one. */
export const person = {
  email: 'bench@example.com',
  password: 'correct horse battery',
  passwordHash:
    'scrypt$1024$8$1$c21zcmVsYXkgYmVuY2ggMQ$RIzovuhBKJU0kO-iI4rS7oI8P3dWkCHJp4qHo-Kku90',
} as const

/** Identifier of that account. */
export const accountId = '01900000-0000-7000-8000-000000000000'

/** Its token for integrators. */
export const apiToken = `srt_${'t'.repeat(43)}`

/** Maximum number of its phones. */
export const phoneCount = 128

/** The token of a phone. */
export function getPhoneToken(number: number): string {
  return `srt_${String(number).padStart(43, 'p')}`
}

/** Identifier of another account. */
export function getNeighborId(number: number): string {
  return `01900000-0000-7000-8000-${String(number + 1).padStart(12, '0')}`
}

/** The token for integrators of another account. */
export function getNeighborToken(number: number): string {
  return `srt_${String(number).padStart(43, 'n')}`
}
