import type { Message } from '../../../../domain/message/message.js'
import type { DecisionFacts } from '../../message-store.js'
import { guardBits } from '../message-rows/write-statement.js'

export class AssumedFacts implements DecisionFacts {
  readonly isSentAgain: boolean
  readonly original: Message | undefined
  readonly #isBlocked: boolean
  readonly #isAccountMissing: boolean
  #guards = 0

  constructor({ blocked, accountMissing, isSentAgain = false, original }: DecisionFacts) {
    this.#isBlocked = blocked
    this.#isAccountMissing = accountMissing === true
    // The versions of the message and of its original tell whether these have changed.
    this.isSentAgain = isSentAgain
    this.original = original
  }

  get blocked(): boolean {
    this.#guards |= guardBits.checkBlocked | (this.#isBlocked ? guardBits.blocked : 0)
    return this.#isBlocked
  }

  get accountMissing(): boolean {
    this.#guards |= guardBits.checkAccount | (this.#isAccountMissing ? guardBits.accountMissing : 0)
    return this.#isAccountMissing
  }

  get guards(): number {
    return this.#guards
  }
}
