import type { RelayError } from '../../errors.js'
import type { Message } from './message.js'

/** Messages that a phone claimed together, in order, and the number of the last one. */
export interface ClaimedBatch {
  readonly messages: readonly Message[]
  readonly claim: number
}

/** The result of one of several changes: the new message, or why this one did not change. */
export interface BatchResult {
  readonly message?: Message | undefined
  readonly error?: RelayError
}
