import type { LoginClient } from '../../../domain/account/account.js'
import { createSecret, hashText } from '../../../util/crypto/secrets.js'

export interface StartedSession {
  readonly token: string
  readonly signer: string
}

export const unknownClient: LoginClient = { device: 'Unknown device', address: '' }

const hour = 60 * 60_000

/** Milliseconds after the last activity, and after the sign-in, when a dashboard session ends. */
const lifetimes = { idle: 12 * hour, total: 30 * 24 * hour }

/** Milliseconds by which the store may know an earlier activity of a dashboard session. */
export const sessionPrecision = 60_000

/**
 * Creates the token of a dashboard session. It has the time of the sign-in in it, which nobody can
 * change: the token is known by the hash of all of it.
 */
export function createSessionToken(startedAt: number): string {
  return createSecret(`srt_${startedAt.toString(36)}-`)
}

/**
 * When a dashboard session ends unless it is used again, in milliseconds since the epoch; undefined
 * for a token of the API, which is shorter.
 */
export function getSessionEnd(token: string, now: number): number | undefined {
  const [, startedAt] = /^srt_([0-9a-z]{8,9})-[\w-]{43}$/.exec(token) ?? []
  if (startedAt === undefined) return undefined
  return Math.min(now + lifetimes.idle, Number.parseInt(startedAt, 36) + lifetimes.total)
}

/**
 * When a dashboard session was last used: the idle time before its end. Undefined in its last 12
 * hours, in which its end does not move with a use.
 */
export function getLastUse(startedAt: number, expiresAt: number): number | undefined {
  if (expiresAt >= startedAt + lifetimes.total) return undefined
  return Math.max(startedAt, expiresAt - lifetimes.idle)
}

export function toTokenId(secret: string): string {
  return hashText(secret)
}
