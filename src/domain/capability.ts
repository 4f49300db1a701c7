import type { Owned } from './owned.js'

/** A secret URL, as kept: whoever knows it may send (SPEC.md section 1). */
export interface Capability extends Owned {
  /** SHA-256 of the secret part of the URL, base64url. */
  readonly hash: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
}
