/** A record that belongs to an account. */
export interface Owned {
  readonly id: string
  /** Identifier of its account. */
  readonly account: string
}
