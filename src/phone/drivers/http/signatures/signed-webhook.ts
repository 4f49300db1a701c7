// The signatures of webhooks. Each provider signs in its own way; a preset names its function.
//
// - url-signatures.ts: the address and the fields (Twilio, Plivo)
// - body-signatures.ts: the body and a time (Sinch, SMSGate, textbee, Bird, Telnyx)
// - jwt-signatures.ts: a JSON Web Token with a hash of the body (Vonage, MessageBird, httpSMS)
// - sns-signature.ts: the envelope of AWS SNS
// - shared-secret.ts: no signature, but a secret in the path or the login
//
// All secrets are compared in constant time. A provider that signs a time has `maxAge` to arrive.

import { hash } from 'node:crypto'

export interface SignedWebhook {
  readonly method: string
  /** The address as the provider knows it, with the query. */
  readonly url: string
  /** What follows the webhook's name in the path, without the slash between them. */
  readonly pathEnd: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

export interface SignatureContext {
  /** The provider's secret or public key. */
  readonly secret: string
  /** Milliseconds since the epoch. */
  readonly now: number
  /** The ARN of the expected AWS SNS topic. */
  readonly topic: string
  readonly download: (url: string) => Promise<string>
}

/** Whether a webhook comes from the provider and is unchanged. Never throws. */
export type CheckSignature = (
  webhook: SignedWebhook,
  context: SignatureContext,
) => boolean | Promise<boolean>

/** Milliseconds by which the time in a webhook's signature may differ from the phone's clock. */
const maxAge = 5 * 60_000

/** Whether the time of a webhook's signature, in seconds since the epoch, is recent. */
export function isRecent(seconds: string | number | undefined, now: number): boolean {
  const time = Number(seconds ?? Number.NaN) * 1000
  return Math.abs(now - time) <= maxAge
}

export function getHeader({ headers }: SignedWebhook, name: string): string {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

export function parseUrl(text: unknown): URL | undefined {
  return typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined
}

export function hashBody({ body }: SignedWebhook): string {
  return hash('sha256', body, 'hex')
}

/** The entry of a table by a name that a webhook chose: never what all objects inherit. */
export function getOwn<T>(table: Readonly<Record<string, T>>, name: unknown): T | undefined {
  return typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined
}
