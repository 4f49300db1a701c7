/** What became of an attempt, as it is reported to the relay. */
export type Outcome =
  | { readonly result: 'sent'; readonly parts: number }
  | { readonly result: 'failed'; readonly error: string }
  | { readonly result: 'unknown'; readonly error: string }

/** An attempt that did not take place because telephony is out of order: nothing to report. */
export interface Trouble {
  readonly result: 'trouble'
  readonly error: string
  /** Milliseconds that the next try waits at least. @default 0 */
  readonly wait?: number
}

/** An attempt that did not take place because the message changed while it waited. */
export interface Stale {
  readonly result: 'stale'
}
