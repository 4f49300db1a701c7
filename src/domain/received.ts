import type { Owned } from './owned.js'

/** A text that reached a phone, as kept. */
export interface Received extends Owned {
  /** The sender, as the phone gave it. */
  readonly from: string
  readonly text: string
  /** When it reached the phone, in milliseconds since the epoch. */
  readonly receivedAt: number
  /** When the service learnt of it, in milliseconds since the epoch. */
  readonly createdAt: number
}
