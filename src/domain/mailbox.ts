import type { Owned } from './owned.js'

/** An e-mail address of the service that turns mail into messages, as kept (SPEC.md section 1). */
export interface Mailbox extends Owned {
  /** Milliseconds since the epoch. */
  readonly createdAt: number
}
