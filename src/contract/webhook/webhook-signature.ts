import { signText } from '../../util/crypto/secrets.js'

export interface SignedContent {
  readonly id: string
  /** Signed time of the webhook request, in seconds since the epoch. */
  readonly timestamp: number
  /**
   * The data that the webhook's signature covers: the body; if the data is in the query, that
   * encoded data.
   */
  readonly body: string
}

/**
 * Returns a webhook's header `webhook-signature`: one signature for each secret (`whsec_` and
 * base64), separated by spaces; undefined without secrets. Throws for a malformed secret.
 */
export function signWebhook(
  { id, timestamp, body }: SignedContent,
  secrets: readonly string[],
): string | undefined {
  if (secrets.length === 0) return undefined
  const content = `${id}.${timestamp}.${body}`
  const sign = (secret: string): string => `v1,${signText(decodeSecret(secret), content)}`
  return secrets.map(sign).join(' ')
}

/**
 * Whether a webhook request's header `signature` has one by this secret. Throws for a malformed
 * secret.
 */
export function isSignedBy(content: SignedContent, signature: string, secret: string): boolean {
  return signature.split(' ').includes(signWebhook(content, [secret]) ?? '')
}

/**
 * Decodes the secret of a webhook's signature; Buffer.from would skip characters that are not
 * base64.
 */
function decodeSecret(secret: string): Buffer {
  const text = secret.startsWith('whsec_') ? secret.slice('whsec_'.length) : secret
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw new TypeError('The secret is not base64.')
  return Buffer.from(text, 'base64')
}
