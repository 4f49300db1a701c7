/** What a loop tells {@link Turn.enter}. */
export interface ReserveOptions {
  /** Ends the wait. */
  readonly stop: AbortSignal
  /** Goes on at once, for a message that is in hand already. @default false */
  readonly pressing?: boolean
  /** Does not wait: what has no room now is not begun. @default false */
  readonly once?: boolean
  /** Told before a wait of more than a few seconds: its milliseconds, and the limit. */
  readonly onWait: (wait: number, limit: string) => void
}

/** One loop's share of a pace: room for one message at a time. */
export interface RateReservation {
  /** Waits until there is room for a text, and keeps it; false when it was stopped. */
  reserve(waiting: ReserveOptions): Promise<boolean>
  /** A text is about to be sent that needs so many parts. */
  start(parts: number): void
  /** So many parts were sent, none of it when 0; the room that was kept is free. */
  finish(parts: number): void
}

/** A {@link Turn} without limits. */
export const unlimitedReservation: RateReservation = {
  reserve: async ({ stop }) => !stop.aborted,
  start: () => {},
  finish: () => {},
}
