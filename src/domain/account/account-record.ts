/** A record that belongs to an account. */
export interface AccountRecord {
  readonly id: string
  /** Identifier of its account. */
  readonly account: string
}
