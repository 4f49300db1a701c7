export type AttemptOutcome =
  | { readonly result: 'sent'; readonly parts: number }
  | { readonly result: 'failed'; readonly error: string }
  | { readonly result: 'unknown'; readonly error: string }

/** The driver could not send and the message is not the cause: nothing is reported. */
export interface DriverTrouble {
  readonly result: 'trouble'
  readonly error: string
  /** Milliseconds before the next try, at least. @default 0 */
  readonly wait?: number
}
