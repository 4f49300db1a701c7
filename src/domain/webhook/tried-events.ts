export interface RetryState {
  readonly seq: number
  readonly attempts: number
  readonly firstAt: number
  readonly retryAt: number
  /** Webhooks of the event before the subscription's retries were restarted. */
  readonly before?: number
  /** Whether the receiver asked to wait: no webhook of the subscription starts before `retryAt`. */
  readonly hold?: boolean
}

/** An event that was delivered or given up while an earlier one was not. */
export interface SettledEvent {
  readonly seq: number
}

/** A subscription's position: where it is, and which events after that were tried. */
export interface TriedEvents {
  /**
   * Number of the subscription's last event before which all are delivered or given up, itself
   * included.
   */
  readonly cursor: number
  /** The first event after the cursor whose webhook failed, if there is one. */
  readonly trying?: RetryState
  /** The other events after the cursor that were tried, ascending; only with a window above 1. */
  readonly ahead?: readonly (RetryState | SettledEvent)[]
}

export type FindNextEvent = (seq: number) => { readonly seq: number } | undefined

export function listRetries({ trying, ahead = [] }: TriedEvents): RetryState[] {
  return trying === undefined ? [] : [trying, ...ahead.filter(isRetry)]
}

export function findRetry(tried: TriedEvents, seq: number): RetryState | undefined {
  return listRetries(tried).find(retry => retry.seq === seq)
}

export function isSettled({ cursor, ahead = [] }: TriedEvents, seq: number): boolean {
  return seq <= cursor || ahead.some(event => event.seq === seq && !isRetry(event))
}

export function putTriedEvent<T extends TriedEvents>(
  tried: T,
  event: RetryState | SettledEvent,
): T {
  const others = listTried(tried).filter(({ seq }) => seq !== event.seq)
  return replaceTried(tried, [...others, event])
}

/**
 * Marks an event as delivered or given up, and moves the cursor past the events before which none
 * is left. Without `next` there is no other event.
 */
export function settleEvent<T extends TriedEvents>(
  tried: T,
  seq: number,
  next: FindNextEvent = () => undefined,
): T {
  const left = listTried(putTriedEvent(tried, { seq }))
  let { cursor } = tried
  for (let first = left[0]; first !== undefined; first = left[0]) {
    const following = next(cursor)?.seq ?? first.seq
    if (following < first.seq || (following === first.seq && isRetry(first))) break
    cursor = first.seq
    left.shift()
  }
  return replaceTried({ ...tried, cursor }, left)
}

export function replaceRetries<T extends TriedEvents>(
  tried: T,
  replace: (retry: RetryState) => RetryState,
): T {
  return replaceTried(
    tried,
    listTried(tried).map(event => (isRetry(event) ? replace(event) : event)),
  )
}

export function moveCursor<T extends TriedEvents>(tried: T, cursor: number): T {
  return replaceTried({ ...tried, cursor }, [])
}

/** The tried events, ascending; `trying` may come after settled ones of `ahead`. */
function listTried({ trying, ahead = [] }: TriedEvents): (RetryState | SettledEvent)[] {
  return trying === undefined ? [...ahead] : sortBySequence([trying, ...ahead])
}

function sortBySequence<T extends SettledEvent>(events: readonly T[]): T[] {
  return events.toSorted((a, b) => a.seq - b.seq)
}

function replaceTried<T extends TriedEvents>(
  { trying: _, ahead: __, ...rest }: T,
  events: readonly (RetryState | SettledEvent)[],
): T {
  const sorted = sortBySequence(events)
  const trying = sorted.find(isRetry)
  const ahead = sorted.filter(event => event !== trying)
  return {
    ...rest,
    ...(trying === undefined ? {} : { trying }),
    ...(ahead.length === 0 ? {} : { ahead }),
  } as unknown as T
}

function isRetry(event: RetryState | SettledEvent): event is RetryState {
  return 'attempts' in event
}
