// What an account owns: its keys and tokens, its Do Not Text list, its secret URLs and mailboxes.
// - account: the account, its tokens, entries of a Do Not Text list
// - person: the other people who sign in to it, their roles and invitations
// - account-record: what all other records of an account have in common
// - password: which new passwords an account accepts
// - account-owner: which account manages the others
// - do-not-text: the reasons and notes of entries
// - secret-url: a URL whose requests become messages; usage-limit: how often it can be used
// - mailbox: an e-mail address whose mail becomes messages
// The interfaces are the stored records: their fields stay as they are.

import type { AccountLimits } from '../account-limits.js'
import type { SecondFactor } from './second-factor.js'

/** What happens to a message whose lease ends without a report, or with an unknown outcome. */
export const deliveryModes = ['at-least-once', 'at-most-once'] as const

/** One of {@link deliveryModes}: the message is sent again, or locked for a person to decide. */
export type DeliveryMode = (typeof deliveryModes)[number]

export interface Account {
  readonly id: string
  readonly email: string
  readonly passwordHash: string
  readonly secondFactor?: SecondFactor
  /** Secret key of the account in plain text like `appKey`: `GET /api/1/user/app` shows both. */
  readonly secretKey: string
  readonly appKey: string
  /** SHA-256 of the account's API key, base64url. */
  readonly apiKeyHash: string
  /** ISO 3166 code of the country in which the account's national numbers are read. */
  readonly country: string
  readonly mode: DeliveryMode
  /** IANA time zone of the account's pages; absent: that of each browser. */
  readonly timeZone?: string
  /** Automatic reply to HELP and INFO; absent: none. */
  readonly helpText?: string
  /** Automatic reply that confirms STOP; absent: none. */
  readonly stopText?: string
  /** Whether texts use letters of the GSM alphabet for typographic characters (`fewer-parts`). */
  readonly fewerParts?: true
  /**
   * The e-mail address that the account's received texts are sent to, and the identifier of the
   * last one that was; absent: none.
   */
  readonly receivedMail?: string
  readonly receivedMailed?: string
  /**
   * The account's e-mail address that paused and resumed subscriptions are reported to; absent:
   * none.
   */
  readonly alerts?: string
  /** Signs the account's webhooks: `whsec_` and base64. */
  readonly hookSecret: string
  /** Replaced signing secrets of the account that still sign webhooks, newest first. */
  readonly formerHookSecrets?: readonly PreviousSecret[]
  readonly createdAt: number
  /** When the account became the owner's, in milliseconds since the epoch; null if it never did. */
  readonly ownerSince: number | null
  readonly limits?: AccountLimits
}

export interface PreviousSecret {
  readonly secret: string
  readonly until: number
}

/**
 * The credentials that a token was issued for; they decide what it can do
 * (docs/reference/interface.md 5).
 */
export type TokenKind = 'api' | 'app' | 'login'

export interface Token {
  /**
   * SHA-256 of the account's token, base64url; it also names the token as the holder of a message
   * lease.
   */
  readonly id: string
  readonly account: string
  readonly kind: TokenKind
  readonly person?: string
  readonly expiresAt: number
  /** Number of the last message that the account's token claimed in a batch; absent: none. */
  readonly claims?: number
  readonly login?: TokenLogin
}

/** Who signed in, as the sessions of a person show it. */
export interface LoginClient {
  /** Browser and system in a few words, such as "Firefox on Windows". */
  readonly device: string
  /** Client address, as the log shows it. */
  readonly address: string
}

export interface TokenLogin extends LoginClient {
  /** When the account's token was issued, in milliseconds since the epoch. */
  readonly at: number
  readonly isSession: boolean
}

export interface DoNotTextEntry {
  readonly scope: string
  readonly number: string
  readonly at: number
  /** Absent in Do Not Text entries of versions that did not store it. */
  readonly reason?: DoNotTextReason
  /**
   * Who added the number to the list: an e-mail address, a kind of key, `administration`, or the
   * number itself.
   */
  readonly by?: string
  readonly note?: string
}

export type DoNotTextReason = 'person' | 'api' | 'stop' | 'import'
