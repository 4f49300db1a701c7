import { createCipheriv, createDecipheriv, hkdf, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'

const deriveKey = promisify(hkdf)
const compress = promisify(deflateRaw)
const decompress = promisify(inflateRaw)

const algorithm = 'aes-256-gcm'
const nonceLength = 12
const tagLength = 16

export interface SealKey {
  readonly secret: string
  /** A sealed text opens only with the use that it was sealed for. */
  readonly use: string
}

/**
 * Compresses a text and encrypts it with AES-256-GCM (NIST SP 800-38D), with a key derived from the
 * secret (HKDF-SHA256, RFC 5869). Resolves to base64.
 */
export async function sealText(text: string, key: SealKey): Promise<string> {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv(algorithm, await toBytes(key), nonce)
  const parts = [cipher.update(await compress(text)), cipher.final()]
  return Buffer.concat([nonce, ...parts, cipher.getAuthTag()]).toString('base64')
}

/** Opens a sealed text; undefined if it was sealed with another key or has changed. */
export async function openSealedText(sealed: string, key: SealKey): Promise<string | undefined> {
  const bytes = Buffer.from(sealed, 'base64')
  if (bytes.length < nonceLength + tagLength) return undefined
  const nonce = bytes.subarray(0, nonceLength)
  const decipher = createDecipheriv(algorithm, await toBytes(key), nonce)
  decipher.setAuthTag(bytes.subarray(-tagLength))
  const encrypted = bytes.subarray(nonceLength, -tagLength)
  try {
    const compressed = Buffer.concat([decipher.update(encrypted), decipher.final()])
    return (await decompress(compressed)).toString('utf8')
  } catch {
    return undefined
  }
}

async function toBytes({ secret, use }: SealKey): Promise<Buffer> {
  return Buffer.from(await deriveKey('sha256', secret, '', `smsrelay ${use}`, 32))
}
