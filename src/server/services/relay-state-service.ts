import type { QueueDepth } from '../../domain/message/queue-depth.js'
import type { ServiceContext } from './service-context.js'

export interface RelayState {
  readonly version: string | undefined
  readonly startedAt: number
  readonly isShared: boolean
  /** Whether a compaction found damage in the relay's files. */
  readonly isDamaged: boolean
  readonly queue: QueueDepth
  /** The relay's metrics by name (docs/operate/monitoring.md); sizes in bytes. */
  readonly metrics: Readonly<Record<string, number>>
}

export class RelayStateService {
  readonly #context: ServiceContext
  readonly #version: string | undefined
  readonly #startedAt: number

  constructor(context: ServiceContext, version: string | undefined) {
    this.#context = context
    this.#version = version
    this.#startedAt = context.clock.now()
  }

  async read(): Promise<RelayState> {
    const { store, clock, metrics, problems } = this.#context
    const [queue] = await Promise.all([
      store.messages.getQueueDepth(undefined, clock.now()),
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
