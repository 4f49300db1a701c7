// What makes a process one node of several on one database. All of it shares one connection.
//
// - bucket-leases: the accounts are divided into buckets, and the buckets among the nodes. A node
//   delivers the webhooks of the accounts in its buckets. It has them for 30 s after it renewed its
//   row of `node`, which it does every 5 s (node-term, lease-statements). When it does not, others
//   remove the row and take the buckets. It starts no webhook without 20 s left, and aborts those
//   in progress 2 s before the end.
// - hint-channel: after a commit a node tells the others what changed, by a notification and a row
//   of `hint`; they call their listeners (change-hint, store-listeners). A node that is alone sends
//   none. If hints may be missing, because a node was not alone or died, a hint of a gap makes the
//   nodes look at the store. Hints can be lost; leases, versions and positions in the order of
//   events are what correctness rests on.
// - chore-runner: lets one node at a time run each periodic task.

import type { Clock } from '../../../../util/async/clock.js'
import type { StoreChange } from '../../store.js'
import type { WorkerLeases } from '../../worker-leases.js'
import type { Database } from '../connection/database.js'
import type { Connection } from '../connection/statement.js'
import { BucketLeases, type NodeCounts } from './bucket-leases.js'
import { gapPayload, HintDraft, parseHints } from './change-hint.js'
import { ChoreRunner } from './chore-runner.js'
import { HintChannel } from './hint-channel.js'
import { isOutageError } from './outage-error.js'
import { StoreListeners } from './store-listeners.js'

export interface DatabaseNodeOptions {
  readonly database: Pick<Database, 'connect'>
  readonly sender: Connection
  readonly clock: Clock
  readonly newId: () => string
  readonly version?: string | undefined
  readonly onError?: ((error: unknown) => void) | undefined
}

/**
 * Milliseconds between two notifications at least. They get longer while changes go on, since each
 * notification is a commit and wakes all nodes.
 */
const sendIntervals = { first: 5, max: 40 }
/** Milliseconds until hints that could not be sent are sent again. */
const retryDelay = 200
/** Renewals of this node's row for which all nodes have time to read a hint. */
const readRenewals = 12

export class DatabaseNode {
  readonly #clock: Clock
  readonly #connection: Connection
  readonly #channel: HintChannel
  readonly #leases: BucketLeases
  readonly #chores: ChoreRunner
  readonly #onError: (error: unknown) => void
  readonly #listeners = new StoreListeners()
  readonly #draft = new HintDraft()
  /** The highest hint of the table at each of the last renewals. */
  readonly #floors: number[] = []
  #sending: Promise<void> | undefined
  /** Whether there is another node. An administration command does not know, and tells. */
  #hasOthers = true
  #isClosed = false

  constructor({ database, sender, clock, newId, ...options }: DatabaseNodeOptions) {
    const { version = 'unknown', onError: report = () => {} } = options
    const onError = (error: unknown): void => {
      if (!isOutageError(error)) report(error)
    }
    this.#clock = clock
    this.#onError = onError
    this.#connection = database.connect('node', {
      onNotification: (_, payload) => this.#channel.receive(payload),
      onLost: () => this.#channel.restart(),
    })
    const onGap = (): void => this.#listeners.notifyGap()
    this.#channel = new HintChannel(newId(), { connection: this.#connection, sender }, clock, {
      onHint: payload => this.#handleHint(payload),
      onNodes: () => void this.#leases.renew(),
      onGap,
      onError,
    })
    this.#leases = new BucketLeases(this.#connection, {
      ...{ clock, newId, version, onGap, onError },
      getReadHint: () => this.#getReadHint(),
      onNodes: async counts => await this.#handleNodes(counts),
      announce: async () => await this.#channel.announce(),
    })
    this.#chores = new ChoreRunner(() => this.#leases.node, this.#connection, clock)
  }

  get overdue(): number {
    return this.#leases.overdue
  }

  /** The accounts whose webhooks this node delivers; their start makes the process a node. */
  get workerLeases(): WorkerLeases {
    const leases = this.#leases
    return {
      find: account => leases.find(account),
      watch: listener => leases.watch(listener),
      start: async () => {
        // First, so that this node learns at once of buckets that others give back.
        await this.#channel.start()
        await leases.start()
      },
      stop: async () => await leases.stop(),
    }
  }

  /** Calls the listeners with the changes of all nodes, as the store's `watch` does. */
  watch(onChange: (change: StoreChange) => void, onGap?: () => void): () => void {
    return this.#listeners.watch(onChange, onGap)
  }

  /**
   * Tells the listeners of this node and the other nodes of a change that this one has committed.
   * Never throws.
   */
  notify(change: StoreChange): void {
    this.#listeners.notify(change)
    // Without notifications, a node does not notice at once that another one starts.
    const isAlone = !this.#hasOthers && this.#channel.isListening
    if (isAlone || this.#isClosed) return
    this.#draft.add(change)
    this.#sending ??= this.#send()
  }

  /** Runs a periodic task unless another node has it. Throws as the task, and `unavailable`. */
  async runExclusively(name: string, work: () => Promise<void>): Promise<void> {
    await this.#chores.run(name, work)
  }

  /** Tells what is still to tell, and ends this node's part. */
  async close(): Promise<void> {
    await this.#channel.stop()
    await this.#chores.close().catch(this.#onError)
    this.#isClosed = true
    await this.#sending
    await this.#connection.close()
  }

  async #send(): Promise<void> {
    // The changes of one turn of the event loop go together.
    await new Promise(resolve => setImmediate(resolve))
    let payloads: string[] = []
    let interval = sendIntervals.first
    while (payloads.length > 0 || !this.#draft.isEmpty) {
      payloads.push(...this.#draft.takePayloads())
      try {
        await this.#channel.send(payloads)
        payloads = []
      } catch (error) {
        this.#onError(error)
      }
      if (this.#isClosed) break
      await this.#clock.sleep(payloads.length === 0 ? interval : retryDelay)
      interval = Math.min(2 * interval, sendIntervals.max)
    }
    this.#sending = undefined
  }

  #handleHint(payload: string): void {
    if (payload === gapPayload) this.#listeners.notifyGap()
    else for (const change of parseHints(payload)) this.#listeners.notify(change)
  }

  async #handleNodes({ live, dead }: NodeCounts): Promise<void> {
    const wasAlone = !this.#hasOthers
    this.#hasOthers = live + dead > 1
    if (dead > 0) this.#listeners.notifyGap()
    if (dead > 0 || (wasAlone && this.#hasOthers)) {
      this.#draft.addGap()
      this.#sending ??= this.#send()
    }
    this.#floors.push(this.#channel.floor)
    if (this.#floors.length > readRenewals) this.#floors.shift()
    await this.#channel.test()
  }

  #getReadHint(): number {
    return this.#floors.length < readRenewals ? 0 : (this.#floors[0] ?? 0)
  }
}
