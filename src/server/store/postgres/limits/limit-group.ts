import type { LimitChange, LimitKind, LimitStates } from '../../limit-store.js'

export type LimitState = LimitStates[LimitKind]

/** A stored limit as it was read or written last; without `op` there was no row. */
export interface LimitImage {
  readonly op?: string
  readonly state?: LimitState | undefined
}

export interface LimitRequest {
  readonly decide: (state: LimitState | undefined) => LimitState | null
  readonly until: number
  readonly resolve: (change: LimitChange<LimitKind>) => void
  readonly reject: (error: unknown) => void
}

export interface LimitGroup {
  readonly kind: LimitKind
  readonly key: string
  readonly requests: LimitRequest[]
  image: LimitImage | undefined
  /** Whether the image was read for this group; another one may be out of date. */
  isFresh: boolean
}

export interface LimitOutcome {
  readonly state: LimitState | undefined
  readonly isChanged: boolean
  readonly until: number
  /** Gives each caller the result of his request, once the row of the store has the state. */
  readonly settle: () => void
}

/** Decides on the requests for a row in order, each on the state that the one before left. */
export function decideGroup({ requests, image }: LimitGroup): LimitOutcome {
  let state = image?.state
  const settlements = requests.map(({ decide, resolve, reject }) => {
    const before = state
    try {
      state = decide(before) ?? undefined
    } catch (error) {
      return () => reject(error)
    }
    const after = state
    return () => resolve({ before, after })
  })
  return {
    state,
    isChanged: state !== image?.state,
    until: Math.max(...requests.map(each => each.until)),
    settle: () => {
      for (const each of settlements) each()
    },
  }
}
