import type { Clock } from '../../../../util/async/clock.js'
import type { Connection } from './statement.js'

const readTime = {
  name: 'read_time',
  text: 'select (extract(epoch from clock_timestamp()) * 1000)::bigint as now',
}

/** Samples of the server's time at the start; the one with the fastest reply counts. */
const samples = 3
/** Milliseconds of a round trip after which a sample says too little. */
const maxRoundTrip = 500

/**
 * The time of the database server, the same on every node: the monotonic clock of this machine plus
 * the difference to the server. The wall clock of this machine does not matter.
 */
export class DatabaseClock implements Clock {
  readonly monotonic: Clock['monotonic']
  readonly sleep: Clock['sleep']
  readonly after: Clock['after']
  readonly #connection: Connection
  #offset = 0

  constructor(clock: Clock, connection: Connection) {
    this.monotonic = clock.monotonic
    this.sleep = clock.sleep
    this.after = clock.after
    this.#connection = connection
  }

  readonly now = (): number => Math.floor(this.monotonic() + this.#offset)

  async start(): Promise<void> {
    let best = { offset: 0, roundTrip: Number.POSITIVE_INFINITY }
    for (let count = 0; count < samples; count += 1) {
      const sample = await this.#measure()
      if (sample.roundTrip < best.roundTrip) best = sample
    }
    this.#offset = best.offset
  }

  /** Follows the server's time, from which the monotonic clock of this machine drifts. */
  async adjust(): Promise<void> {
    const { offset, roundTrip } = await this.#measure()
    if (roundTrip <= maxRoundTrip) this.#offset = offset
  }

  async #measure(): Promise<{ offset: number; roundTrip: number }> {
    const before = this.monotonic()
    const [row] = await this.#connection.query<{ now: number }>(readTime)
    const after = this.monotonic()
    return { offset: (row?.now ?? 0) - (before + after) / 2, roundTrip: after - before }
  }
}
