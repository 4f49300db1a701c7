export type AttemptOutcome =
  | {
      readonly result: 'sent'
      readonly parts: number
      /** The network's ids of the parts, if it reports their delivery later. */
      readonly networkIds?: readonly string[]
    }
  | { readonly result: 'failed'; readonly error: string }
  | { readonly result: 'unknown'; readonly error: string }

/** The driver could not send and the message is not the cause: the phone reports nothing. */
export interface DriverTrouble {
  readonly result: 'trouble'
  readonly error: string
  /** Milliseconds before the phone's next try, at least. @default 0 */
  readonly wait?: number
}
