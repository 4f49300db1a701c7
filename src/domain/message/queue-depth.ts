/** How much of an account waits to be sent. Due and leased are to the second. */
export interface QueueDepth {
  /** New and error messages: due, in a phone's hands, or for later. */
  readonly waiting: number
  /** Those a phone would be given now. */
  readonly due: number
  /** Those in a phone's hands. */
  readonly leased: number
  /** Since when the one that is given next is due, in milliseconds since the epoch; absent when none is due. */
  readonly oldestDueAt?: number
}
