import type { WorkerLease, WorkerLeases } from '../../../../src/server/store/worker-leases.js'
import type { WebhookDispatcher } from '../../../../src/server/webhooks/webhook-dispatcher.js'
import { InFlight } from '../../../../src/util/async/in-flight.js'
import type { World } from '../world.js'

/** The lease of every account, which a test gives to one dispatcher after the other. */
export class TestLeases implements WorkerLeases {
  readonly #listeners = new Set<() => void>()
  #held: { lease: WorkerLease; end: AbortController; inFlight: InFlight } | undefined
  /** How often a webhook may still start; each check counts. */
  starts = Number.POSITIVE_INFINITY

  find(): WorkerLease | undefined {
    return this.#held?.lease
  }

  watch(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async start(): Promise<void> {}

  async stop(): Promise<void> {}

  take(epoch = 1): void {
    const end = new AbortController()
    const inFlight = new InFlight()
    const canStart = (): boolean => {
      this.starts -= 1
      return this.starts >= 0 && !end.signal.aborted
    }
    const track: WorkerLease['track'] = async work => await inFlight.track(work)
    this.#held = { lease: { epoch, ending: end.signal, canStart, track }, end, inFlight }
    this.changed()
  }

  /** Gives the lease back; resolves when the webhooks in flight have ended. */
  async giveBack(): Promise<void> {
    const held = this.#held
    this.#held = undefined
    this.changed()
    await held?.inFlight.idle()
  }

  /** Ends the lease of a node that could not renew it. */
  lose(): void {
    const held = this.#held
    this.#held = undefined
    held?.end.abort()
    this.changed()
  }

  changed(): void {
    for (const listener of this.#listeners) listener()
  }
}

/** A node of several on one store. */
export async function openNode(
  world: World,
): Promise<{ readonly leases: TestLeases; readonly dispatcher: WebhookDispatcher }> {
  const leases = new TestLeases()
  const dispatcher = await world.dispatch({ store: { ...world.store, workerLeases: leases } })
  return { leases, dispatcher }
}
