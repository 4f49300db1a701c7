export type AttemptOutcome =
  | { readonly result: 'sent'; readonly parts: number }
  | { readonly result: 'failed'; readonly error: string }
  | { readonly result: 'unknown'; readonly error: string }

/** The driver could not send and the message is not the cause: the phone reports nothing. */
export interface DriverTrouble {
  readonly result: 'trouble'
  readonly error: string
  /** Milliseconds before the worker's next try, at least. @default 0 */
  readonly wait?: number
}
