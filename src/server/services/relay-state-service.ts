import type { QueueDepth } from '../../domain/message/queue-depth.js'
import type { ServiceContext } from './service-context.js'

/** The state of a relay and of its store, for the owner; times in milliseconds since the epoch. */
export interface RelayState {
  /** Version of the program; undefined if it was not told to the relay. */
  readonly version: string | undefined
  /** When this process opened the relay. */
  readonly startedAt: number
  /** Whether the relay's store is a database. */
  readonly isShared: boolean
  /** Whether a compaction found damage in the relay's files. */
  readonly isDamaged: boolean
  /** The waiting messages of all accounts of the relay. */
  readonly queue: QueueDepth
  /** The relay's metrics by name (docs/operate/monitoring.md); sizes in bytes. */
  readonly metrics: Readonly<Record<string, number>>
}

/** Reads the state of the relay. */
export class RelayStateService {
  readonly #context: ServiceContext
  readonly #version: string | undefined
  readonly #startedAt: number

  constructor(context: ServiceContext, version: string | undefined) {
    this.#context = context
    this.#version = version
    this.#startedAt = context.clock.now()
  }

  /** Reads the current state of the relay. Throws `unavailable`. */
  async read(): Promise<RelayState> {
    const { store, clock, metrics, problems } = this.#context
    const [queue] = await Promise.all([
      store.messages.getTotalDepth(clock.now()),
      metrics.collect(),
    ])
    return {
      version: this.#version,
      startedAt: this.#startedAt,
      isShared: store.isShared,
      isDamaged: problems.has('store_damaged'),
      queue,
      metrics: metrics.values(),
    }
  }
}
