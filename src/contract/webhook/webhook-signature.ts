import { Webhook } from 'standardwebhooks'

/** What a signature is made over (Standard Webhooks, "Signature scheme"). */
export interface SignedContent {
  /** Of `webhook-id`. */
  readonly id: string
  /** Of `webhook-timestamp`: seconds since the epoch. */
  readonly timestamp: number
  /** The body; for a hit with its data in the query, that encoded data. */
  readonly body: string
}

/**
 * The value of `webhook-signature`: a signature by each secret (`whsec_` and base64), separated by spaces; undefined
 * when there is no secret.
 */
export function signWebhook(
  { id, timestamp, body }: SignedContent,
  secrets: readonly string[],
): string | undefined {
  if (secrets.length === 0) return undefined
  const at = new Date(timestamp * 1000)
  return secrets.map(secret => new Webhook(secret).sign(id, at, body)).join(' ')
}

/** Whether a value of `webhook-signature` holds a signature by this secret. Throws for what is no secret. */
export function isSignedBy(content: SignedContent, signature: string, secret: string): boolean {
  return signature.split(' ').includes(signWebhook(content, [secret]) ?? '')
}
