/** The messages of an account that wait to be sent. Due and leased are exact to the second. */
export interface QueueDepth {
  /** New and error messages in the account's queue: due, leased, or scheduled. */
  readonly waiting: number
  readonly due: number
  readonly leased: number
  /**
   * When the next message of the queue became due, in milliseconds since the epoch; absent if no
   * message is due.
   */
  readonly oldestDueAt?: number
}
