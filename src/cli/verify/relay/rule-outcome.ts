import type { SentRequest } from './verify-http.js'

export class RuleFailure extends Error {
  override readonly name = 'RuleFailure'

  constructor(
    readonly expected: string,
    readonly got: string,
    /** The request whose reply was wrong. @default the last request of the rule */
    readonly request?: SentRequest,
  ) {
    super(`expected ${expected}, got ${got}`)
  }
}

/** Thrown by a rule of `verify` that cannot be checked; the message is the reason. */
export class RuleSkipped extends Error {
  override readonly name = 'RuleSkipped'
}
