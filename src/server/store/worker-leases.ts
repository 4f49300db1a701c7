/**
 * The right of this node to deliver the webhooks of an account. The store gives it to one node at a
 * time.
 */
export interface WorkerLease {
  /** Grows with each node that gets the lease; the store refuses results of an earlier one. */
  readonly epoch: number
  /**
   * Aborted when webhooks in progress must end, before the store may give the lease to another
   * node. @default the lease does not end
   */
  readonly ending?: AbortSignal | undefined
  /** Whether the lease lasts long enough for the store to allow one more webhook. */
  canStart(): boolean
  /** Counts work that ends before the store gives the lease to another node. */
  track<T>(work: Promise<T>): Promise<T>
}

/** Which accounts' webhooks this node delivers, as the store has it. */
export interface WorkerLeases {
  /** Finds the lease of an account; undefined if the store has not given it to this node. */
  find(account: string): WorkerLease | undefined
  /**
   * Calls `listener` after the store gave leases, took them or renewed late ones, until the
   * returned function is called.
   */
  watch(listener: () => void): () => void
  /** Takes this node's share of the store's leases and keeps it until {@link stop}. */
  start(): Promise<void>
  /** Gives the leases back to the store when the work that they track has ended. */
  stop(): Promise<void>
}

/** Creates the leases of a store with one node, which has them all and never loses one. */
export function createSoleLeases(): WorkerLeases {
  const lease: WorkerLease = { epoch: 0, canStart: () => true, track: work => work }
  return { find: () => lease, watch: () => () => {}, start: async () => {}, stop: async () => {} }
}
