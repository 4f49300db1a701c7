export interface AccountRecord {
  readonly id: string
  /** The identifier of the account. */
  readonly account: string
}
