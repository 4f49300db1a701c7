import type { RelayError } from '../../errors.js'
import type { Message } from './message.js'

export interface ClaimedBatch {
  readonly messages: readonly Message[]
  readonly claim: number
}

/** The result of one message's change in a batch: the new message, or why it did not change. */
export interface BatchResult {
  readonly message?: Message | undefined
  readonly error?: RelayError
}
