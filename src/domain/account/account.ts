import type { DeliveryMode } from '../message/report.js'

/** A user of the service, as kept. Keys are random; what is only compared is kept as a hash. */
export interface Account {
  readonly id: string
  readonly email: string
  readonly passwordHash: string
  /** Shown again by `GET /api/1/user/app`, so kept as it is. */
  readonly secretKey: string
  /** Shown again by `GET /api/1/user/app`, so kept as it is. */
  readonly appKey: string
  readonly apiKeyHash: string
  /** ISO 3166 code of the country in which national numbers are read. */
  readonly country: string
  readonly mode: DeliveryMode
  /** Signs hits: `whsec_` and base64; absent in accounts made before there were any, until it is first needed. */
  readonly hookSecret?: string
  /** Replaced secrets that sign beside it for a while, the newest first. */
  readonly formerHookSecrets?: readonly PreviousSecret[]
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /**
   * When it became the owner's account, in milliseconds since the epoch; null: it never was. Absent in accounts made
   * before that was kept.
   */
  readonly ownerSince?: number | null
}

/** A replaced secret that still signs. */
export interface PreviousSecret {
  readonly secret: string
  /** Milliseconds since the epoch. */
  readonly until: number
}

/** What a token was issued for, which decides what it may do (SPEC.md section 5). */
export type TokenKind = 'api' | 'app' | 'login'

/** An issued token as kept; the token itself is only known to its holder. */
export interface Token {
  /** SHA-256 of the token, base64url: its identifier, and the holder of leases. */
  readonly id: string
  readonly account: string
  readonly kind: TokenKind
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

/** An entry of the Do Not Text list. */
export interface DoNotTextEntry {
  /** The account it counts for, or `*` for the whole service. */
  readonly scope: string
  /** Canonical number. */
  readonly number: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Why it is listed; absent in entries from before that was kept. */
  readonly reason?: DoNotTextReason
  /** Who listed it: an e-mail address, a kind of key, `administration`, or the number itself. */
  readonly by?: string
  readonly note?: string
}

/** Why a number is listed: a person did it, a program, a word that its owner texted, or a file. */
export type DoNotTextReason = 'person' | 'api' | 'stop' | 'import'
