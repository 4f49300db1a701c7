import { LruMap } from '../../../util/collections/lru-map.js'
import type { ServiceContext } from '../service-context.js'

interface WaitingCount {
  /** The most messages that can wait, with those that are being created. */
  waiting: number
  inProgress: number
  /** Messages whose creation began since this node started. */
  begun: number
  readAt: number
  reading: Promise<void> | undefined
}

const maxAccounts = 10_000
/** Milliseconds after which a count may not have the messages of other nodes. */
const maxAge = 1000

/**
 * The service's counts of the waiting messages of accounts with a limit of them. A count is read at
 * most once a second while it is below the limit, so other nodes may add messages for a second.
 */
export class WaitingMessages {
  readonly #context: ServiceContext
  readonly #counts = new LruMap<string, WaitingCount>(maxAccounts, () => 1)

  constructor(context: ServiceContext) {
    this.#context = context
  }

  /** Counts up to `count` messages that are about to be created; resolves to how many may be. */
  async add(account: string, max: number, count: number): Promise<number> {
    const known = this.#get(account)
    const isFresh = this.#context.clock.monotonic() - known.readAt < maxAge
    if (!isFresh || known.waiting + count > max) await this.#read(account, known)
    const allowed = Math.max(0, Math.min(count, max - known.waiting))
    known.waiting += allowed
    known.inProgress += allowed
    known.begun += allowed
    return allowed
  }

  remove(account: string, count: number, created: number): void {
    const known = this.#get(account)
    known.inProgress = Math.max(0, known.inProgress - count)
    known.waiting -= count - created
  }

  #get(account: string): WaitingCount {
    const known = this.#counts.get(account)
    if (known !== undefined) return known
    const readAt = Number.NEGATIVE_INFINITY
    const created = { waiting: 0, inProgress: 0, begun: 0, readAt, reading: undefined }
    this.#counts.set(account, created)
    return created
  }

  /** Requests at the same time share a read. */
  async #read(account: string, known: WaitingCount): Promise<void> {
    known.reading ??= this.#readDepth(account, known).finally(() => {
      known.reading = undefined
    })
    await known.reading
  }

  /** The read may miss messages that are being created, or have them already. */
  async #readDepth(account: string, known: WaitingCount): Promise<void> {
    const { clock, store } = this.#context
    const { inProgress, begun } = known
    const readAt = clock.monotonic()
    const { waiting } = await store.messages.getQueueDepth(account, clock.now())
    known.waiting = waiting + inProgress + known.begun - begun
    known.readAt = readAt
  }
}
