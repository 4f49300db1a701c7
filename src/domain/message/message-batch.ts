import type { RelayError } from '../../errors.js'
import type { Message } from './message.js'

export interface ClaimedBatch {
  readonly messages: readonly Message[]
  readonly claim: number
}

export interface BatchResult {
  readonly message?: Message | undefined
  readonly error?: RelayError
}
