import type { Clock } from '../../../../util/async/clock.js'
import type { WorkerLease, WorkerLeases } from '../../worker-leases.js'
import type { Connection } from '../connection/statement.js'
import { getAccountBucket } from './account-bucket.js'
import {
  countShare,
  freeBuckets,
  giveBackBuckets,
  type NodeState,
  registerNode,
  removeDeadNodes,
  removeNode,
  renewNode,
  takeBuckets,
} from './lease-statements.js'
import { BucketLease, NodeTerm } from './node-term.js'

export type NodeCounts = Pick<NodeState, 'live' | 'dead'>

export interface BucketLeasesOptions {
  readonly clock: Clock
  /** Identifies this node's rows until the node has not renewed them in time. */
  readonly newId: () => string
  readonly version: string
  /** The highest hint that every node has read. */
  readonly getReadHint: () => number
  /** Called after each renewal, before other nodes that died are removed. */
  readonly onNodes: (counts: NodeCounts) => Promise<void>
  readonly announce: () => Promise<void>
  /** Called when this node was taken for dead and may have missed hints. */
  readonly onGap: () => void
  readonly onError: (error: unknown) => void
}

/** Milliseconds between two renewals of this node's row, and after one that failed. */
const interval = 5000
const retryDelay = 500

/** The leases of this node: it has its share of the buckets, and with them their accounts. */
export class BucketLeases implements WorkerLeases {
  readonly #connection: Connection
  readonly #options: BucketLeasesOptions
  readonly #listeners = new Set<() => void>()
  #node: string
  #term: NodeTerm | undefined
  #buckets = new Map<number, BucketLease>()
  /** Buckets that this node gives back as soon as no webhook of theirs is in flight. */
  readonly #leaving = new Map<number, BucketLease>()
  #cancelRenewal = (): void => {}
  #running: Promise<void> | undefined
  #isDue = false
  #isStarted = false
  /** When this node's row was last renewed, by the monotonic clock. */
  #renewedAt = 0

  constructor(connection: Connection, options: BucketLeasesOptions) {
    this.#connection = connection
    this.#options = options
    this.#node = options.newId()
  }

  get node(): string {
    return this.#node
  }

  get overdue(): number {
    if (!this.#isStarted) return 0
    const age = this.#options.clock.monotonic() - this.#renewedAt
    return age > 3 * interval ? age : 0
  }

  find(account: string): WorkerLease | undefined {
    return this.#buckets.get(getAccountBucket(account))
  }

  watch(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async start(): Promise<void> {
    this.#isStarted = true
    this.#renewedAt = this.#options.clock.monotonic()
    await this.#register()
    await this.renew()
  }

  async stop(): Promise<void> {
    this.#isStarted = false
    this.#cancelRenewal()
    await this.#running
    const held = [...this.#buckets.values(), ...this.#leaving.values()]
    this.#buckets.clear()
    await Promise.all(held.map(async lease => await lease.idle()))
    this.#term?.end()
    // Without the database the leases end by themselves.
    await this.#query(removeNode, [this.#node])
      .then(() => this.#options.announce())
      .catch(this.#options.onError)
  }

  async renew(): Promise<void> {
    this.#isDue = true
    this.#running ??= this.#renewWhileDue().finally(() => {
      this.#running = undefined
    })
    await this.#running
  }

  async #renewWhileDue(): Promise<void> {
    while (this.#isDue && this.#isStarted) {
      this.#isDue = false
      this.#cancelRenewal()
      const done = await this.#renewOnce().then(
        () => true,
        error => void this.#options.onError(error),
      )
      this.#cancelRenewal = this.#options.clock.after(done ? interval : retryDelay, () => {
        void this.renew()
      })
    }
    if (!this.#isStarted) this.#cancelRenewal()
  }

  async #renewOnce(): Promise<void> {
    const from = this.#options.clock.monotonic()
    const [state] = await this.#query<NodeState>(renewNode, [
      this.#node,
      this.#options.getReadHint(),
    ])
    if (state === undefined) return
    if (!state.renewed) return await this.#startAgain()
    this.#renewedAt = from
    const wasLate = this.#extendTerm(from)
    const hasChanged = this.#apply(state.own)
    if (wasLate || hasChanged) this.#notify()
    await this.#options.onNodes(state)
    if (state.dead > 0) await this.#query(removeDeadNodes)
    if (state.dead > 0 || state.free > 0) await this.#query(freeBuckets)
    await this.#balance(state)
  }

  /** Takes buckets until this node has its share, or gives back those above it. */
  async #balance({ live, dead, free }: NodeState): Promise<void> {
    const surplus = this.#buckets.size - countShare(live)
    if (surplus > 0) this.#giveBack([...this.#buckets.keys()].slice(-surplus))
    if (surplus >= 0 || dead + free === 0) return
    await this.#query(takeBuckets, [this.#node, -surplus])
    this.#isDue = true
  }

  /** Returns whether webhooks may start again after they could not. */
  #extendTerm(from: number): boolean {
    const wasLate = this.#term?.canStart() !== true
    if (this.#term === undefined || this.#term.ending.aborted) {
      const term = new NodeTerm(this.#options.clock, from)
      this.#term = term
      for (const [bucket, lease] of this.#buckets) this.#buckets.set(bucket, lease.renew(term))
    } else this.#term.extend(from)
    return wasLate
  }

  #apply(own: NodeState['own']): boolean {
    const term = this.#term
    let hasChanged = false
    for (const bucket of this.#buckets.keys()) {
      if (own?.[bucket] !== undefined) continue
      this.#buckets.delete(bucket)
      hasChanged = true
    }
    for (const [name, epoch] of Object.entries(own ?? {})) {
      const bucket = Number(name)
      const isKnown = this.#leaving.has(bucket) || this.#buckets.get(bucket)?.epoch === epoch
      if (isKnown || term === undefined) continue
      this.#buckets.set(bucket, new BucketLease(epoch, term))
      hasChanged = true
    }
    return hasChanged
  }

  #giveBack(buckets: readonly number[]): void {
    for (const bucket of buckets) {
      const lease = this.#buckets.get(bucket)
      if (lease === undefined) continue
      this.#buckets.delete(bucket)
      this.#leaving.set(bucket, lease)
    }
    this.#notify()
    void this.#release(buckets)
  }

  /** Releases buckets together: a webhook takes at most 20 s. */
  async #release(buckets: readonly number[]): Promise<void> {
    const node = this.#node
    await Promise.all(buckets.map(async bucket => await this.#leaving.get(bucket)?.idle()))
    try {
      await this.#query(giveBackBuckets, [node, buckets])
      await this.#options.announce()
    } catch (error) {
      // The next renewal finds them again as this node's own.
      this.#options.onError(error)
    }
    for (const bucket of buckets) this.#leaving.delete(bucket)
  }

  /** Continues under another identifier after other nodes have taken this one's buckets. */
  async #startAgain(): Promise<void> {
    const held = [...this.#buckets.values(), ...this.#leaving.values()]
    this.#buckets.clear()
    this.#term?.end()
    this.#term = undefined
    this.#notify()
    await Promise.all(held.map(async lease => await lease.idle()))
    this.#node = this.#options.newId()
    await this.#register()
    this.#options.onGap()
    this.#isDue = true
  }

  async #register(): Promise<void> {
    await this.#query(registerNode, [this.#node, this.#options.version])
    await this.#options.announce()
  }

  async #query<Row>(...[statement, values]: Parameters<Connection['query']>): Promise<Row[]> {
    return await this.#connection.query<Row>(statement, values)
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }
}
