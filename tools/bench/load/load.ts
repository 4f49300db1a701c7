import type { Actor, Step } from './actor.js'
import { Connection } from './connection.js'
import { Histogram } from './histogram.js'

/** A load on a server. */
export interface LoadOptions {
  readonly port: number
  /** The actors, one for each connection. */
  readonly actors: readonly Actor[]
  /** Seconds that are measured. */
  readonly seconds: number
  /** Seconds of load before the measurement. @default 0.3 */
  readonly warmup?: number
  /** Ends the measurement early if true; called ten times a second. */
  readonly isOver?: () => boolean
  /** Whether a reply that ends now is counted. @default true */
  readonly isCounted?: () => boolean
}

/** Result of a load. */
export interface LoadResult {
  readonly seconds: number
  /** Latencies by name. */
  readonly latencies: ReadonlyMap<string, Histogram>
  /** Replies a second, of one name or of all. */
  rate(name?: string): number
  /** The latencies of all names together. */
  all(): Histogram
  /** Number of replies, of one name or of all. */
  total(name?: string): number
  /** Share of one core that the client used, 0 to 1. */
  readonly clientBusy: number
}

const timeLimit = 2000

/** Runs a load on a server. Rejects at the first reply other than 200 and at a lost connection. */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const run = new LoadRun(options)
  try {
    return await run.measure()
  } finally {
    run.end()
  }
}

class LoadRun {
  readonly #options: LoadOptions
  readonly #latencies = new Map<string, Histogram>()
  readonly #connections: Connection[] = []
  readonly #failure: Promise<never>
  #fail: (error: Error) => void = () => {}
  readonly #totals = new Map<string, number>()
  #counting = false
  #ending = false
  #inProgress = 0

  constructor(options: LoadOptions) {
    this.#options = options
    this.#failure = new Promise((_, reject) => {
      this.#fail = reject
    })
    this.#failure.catch(() => {})
  }

  async measure(): Promise<LoadResult> {
    const { actors, seconds, warmup = 0.3 } = this.#options
    for (const actor of actors) await this.#start(actor)
    await this.#waitFor(warmup * 1000)
    this.#counting = true
    const from = performance.now()
    const cpu = process.cpuUsage()
    await this.#waitFor(seconds * 1000)
    this.#counting = false
    const took = (performance.now() - from) / 1000
    const { user, system } = process.cpuUsage(cpu)
    this.#ending = true
    await this.#waitForReplies()
    return summarize(this.#latencies, this.#totals, took, (user + system) / 1e6 / took)
  }

  end(): void {
    this.#ending = true
    for (const connection of this.#connections) connection.destroy()
  }

  async #start(actor: Actor): Promise<void> {
    let step: Step | undefined
    let since = 0
    const go = (body: Buffer | undefined): void => {
      step = this.#ending ? undefined : actor.next(body)
      if (step === undefined) return
      this.#inProgress += 1
      since = performance.now()
      connection.send(step.bytes)
    }
    const onReply = (status: number, body: Buffer | undefined, raw: () => string): void => {
      this.#inProgress -= 1
      const name = step?.name ?? ''
      this.#totals.set(name, (this.#totals.get(name) ?? 0) + 1)
      if (status !== 200) this.#fail(createReplyError(step, raw()))
      else if (this.#counting) this.#count(name, performance.now() - since)
      go(body)
    }
    const onEnd = (why: string): void => this.#fail(new Error(why))
    const { port = this.#options.port } = actor
    const connection = await Connection.open(port, actor.readsBody, onReply, onEnd)
    this.#connections.push(connection)
    actor.attach?.(() => {
      if (step === undefined) go(undefined)
    })
    go(undefined)
  }

  #count(name: string, latency: number): void {
    if (this.#options.isCounted?.() === false) return
    let histogram = this.#latencies.get(name)
    if (histogram === undefined) {
      histogram = new Histogram()
      this.#latencies.set(name, histogram)
    }
    histogram.add(latency)
  }

  async #waitFor(milliseconds: number): Promise<void> {
    const end = performance.now() + milliseconds
    for (let left = milliseconds; left > 0; left = end - performance.now()) {
      if (this.#options.isOver?.() === true) return
      await Promise.race([sleep(Math.min(left, 100)), this.#failure])
    }
  }

  /** Waits for replies in progress: aborted requests would disturb the next measurement. */
  async #waitForReplies(): Promise<void> {
    const end = performance.now() + timeLimit
    while (this.#inProgress > 0 && performance.now() < end) {
      await Promise.race([sleep(5), this.#failure])
    }
  }
}

function summarize(
  latencies: ReadonlyMap<string, Histogram>,
  totals: ReadonlyMap<string, number>,
  seconds: number,
  clientBusy: number,
): LoadResult {
  const all = (): Histogram => {
    const sum = new Histogram()
    for (const histogram of latencies.values()) sum.merge(histogram)
    return sum
  }
  const rate = (name?: string): number =>
    (name === undefined ? all().size : (latencies.get(name)?.size ?? 0)) / seconds
  const total = (name?: string): number =>
    name === undefined
      ? [...totals.values()].reduce((sum, count) => sum + count, 0)
      : (totals.get(name) ?? 0)
  return { seconds, latencies, rate, total, all, clientBusy }
}

function createReplyError(step: Step | undefined, reply: string): Error {
  const request = step?.bytes.slice(0, step.bytes.indexOf('\r\n')) ?? 'a request'
  return new Error(`A reply was not 200.\n${request}\n${reply}`)
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds))
}
