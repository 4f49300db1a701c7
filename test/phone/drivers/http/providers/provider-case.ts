import type { IncomingText } from '../../../../../src/phone/driver-port/driver.js'
import type { WebhookRequest } from '../../../../../src/phone/driver-port/webhook.js'
import type { Reply } from '../provider.js'

/** What a provider sends to a phone, before it is signed. */
export interface ProviderWebhook {
  readonly method?: 'GET'
  readonly body?: object | string
  readonly form?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
}

type ScriptedReply = Extract<Reply, { readonly status: number }>

/** A provider in the shapes of its public documentation. */
export interface ProviderCase {
  readonly preset: string
  readonly options: Readonly<Record<string, string>>
  readonly env: Readonly<Record<string, string>>
  /** What the request to send must contain. */
  readonly request: readonly (string | RegExp)[]
  readonly accepted: ScriptedReply
  readonly id: string
  readonly parts?: number
  /** Replies by what they mean; those that every HTTP service shares are not repeated. */
  readonly failures: readonly (readonly [
    name: 'invalid number' | 'throttled' | 'unauthorized' | 'broken' | 'no credit' | 'other',
    reply: ScriptedReply,
    kind: 'retry' | 'fail' | 'trouble' | 'unknown',
  ])[]
  /** A reply to a request for the status, and the request line. */
  readonly status?: readonly [line: RegExp, body: object, state: string]
  readonly receipt?: ProviderWebhook
  readonly text?: ProviderWebhook
  /** An MMS, or the notification of one, and what is read of it. */
  readonly mms?: readonly [webhook: ProviderWebhook, text: Partial<IncomingText>]
  /** Signs a webhook as the provider does; undefined if the address has a secret. */
  readonly sign?: (request: WebhookRequest, url: string, now: number) => Record<string, string>
  /** The reply that the provider expects. @default none */
  readonly reply?: string
}

/** Time of all provider tests. */
export const now = Date.UTC(2026, 10, 22, 12)
export const recipient = '+447700900001'
export const sender = '+12025550100'
export const webhookSecret = 'a-secret-in-a-path'

export function json(status: number, body: object): ScriptedReply {
  return { status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
}
