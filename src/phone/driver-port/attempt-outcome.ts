/** What became of an attempt, as it is reported to the relay. */
export type AttemptOutcome =
  | { readonly result: 'sent'; readonly parts: number }
  | { readonly result: 'failed'; readonly error: string }
  | { readonly result: 'unknown'; readonly error: string }

/** An attempt that did not take place because telephony is out of order: nothing to report. */
export interface DriverTrouble {
  readonly result: 'trouble'
  readonly error: string
  /** Milliseconds that the next try waits at least. @default 0 */
  readonly wait?: number
}

/** An attempt that did not take place because the message changed while it waited. */
export interface MessageChangedResult {
  readonly result: 'stale'
}
