import { Webhook } from 'standardwebhooks'

/** The signed content (Standard Webhooks, "Signature scheme"). */
export interface SignedContent {
  /** The field `webhook-id`. */
  readonly id: string
  /** The field `webhook-timestamp`: seconds since the epoch. */
  readonly timestamp: number
  /** The body; if the data is in the query, that encoded data. */
  readonly body: string
}

/**
 * Returns the field `webhook-signature`: one signature for each secret (`whsec_` and base64),
 * separated by spaces; undefined without secrets.
 */
export function signWebhook(
  { id, timestamp, body }: SignedContent,
  secrets: readonly string[],
): string | undefined {
  if (secrets.length === 0) return undefined
  const at = new Date(timestamp * 1000)
  return secrets.map(secret => new Webhook(secret).sign(id, at, body)).join(' ')
}

/** Returns whether `signature` has one by this secret. Throws for a malformed secret. */
export function isSignedBy(content: SignedContent, signature: string, secret: string): boolean {
  return signature.split(' ').includes(signWebhook(content, [secret]) ?? '')
}
