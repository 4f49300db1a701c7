import { runWithSignal } from '../../util/async/abort.js'
import type { Pause } from '../../util/async/clock.js'
import { findSpacingRate, type PartsRate } from './parts-rate.js'
import type { RateReservation, ReserveOptions } from './rate-reservation.js'
import { type SentParts, SlidingWindow } from './sliding-window.js'
import { Spacing, type StartedParts } from './spacing.js'

/** What a {@link Pace} works with. */
export interface RateLimiterOptions {
  readonly rates: readonly PartsRate[]
  /** Milliseconds since any fixed moment; goes forward only. */
  readonly now: () => number
  readonly random: () => number
  readonly pause: Pause
  /** What was sent before, oldest first, by the clock of `now`. @default nothing */
  readonly before?: readonly SentParts[]
  /** Told of parts that were sent. */
  readonly onSent?: (parts: number) => void
}

/** Waits up to this many milliseconds are not told. */
const reportWaitsAbove = 5000

interface ReservedSlot {
  /** Absent until a text is there. */
  begun?: StartedParts
  readonly jitter: number
}

/** The pace of one phone, kept by all its loops together: how many parts go out in a time, and how evenly. */
export class RateLimiter {
  readonly #options: RateLimiterOptions
  readonly #windows: readonly { readonly name: string; readonly window: SlidingWindow }[]
  readonly #spacing: { readonly name: string; readonly spacing: Spacing } | undefined
  readonly #kept = new Set<ReservedSlot>()
  #changed = new AbortController()
  #last: Promise<unknown> = Promise.resolve()

  constructor(options: RateLimiterOptions) {
    this.#options = options
    this.#windows = options.rates.map(rate => ({
      name: rate.name,
      window: new SlidingWindow(rate),
    }))
    const spacing = findSpacingRate(options.rates)
    if (spacing !== undefined) {
      this.#spacing = { name: spacing.name, spacing: new Spacing(spacing) }
    }
    for (const { at, parts } of options.before ?? []) this.#note(at, { at, parts, jitter: 1 })
  }

  /** The share of one loop. */
  createReservation(): RateReservation {
    let mine: ReservedSlot | undefined
    return {
      reserve: async waiting => {
        mine = waiting.pressing === true ? this.#keep() : await this.#inLine(waiting)
        return mine !== undefined
      },
      start: parts => {
        if (mine === undefined) return
        mine.begun = { at: this.#options.now(), parts, jitter: mine.jitter }
        this.#change()
      },
      finish: parts => {
        if (mine === undefined) return
        this.#end(mine, parts)
        mine = undefined
      },
    }
  }

  /** One loop waits for room at a time, the others for it. */
  async #inLine(waiting: ReserveOptions): Promise<ReservedSlot | undefined> {
    const before = this.#last
    const turn = (async () => {
      await before
      return await this.#room(waiting)
    })()
    this.#last = turn
    return await turn
  }

  async #room({ stop, once = false, onWait }: ReserveOptions): Promise<ReservedSlot | undefined> {
    const { now, pause } = this.#options
    for (let told = false; !stop.aborted; ) {
      const { at, limit } = this.#roomAt()
      const wait = Math.ceil(at - now())
      // Kept before the next in line looks.
      if (wait <= 0) return this.#keep()
      const long = (once || wait > reportWaitsAbove) && wait !== Number.POSITIVE_INFINITY
      if (long && !told) onWait(wait, limit)
      told ||= long
      if (once) return undefined
      await runWithSignal([stop, this.#changed.signal], async signal =>
        wait === Number.POSITIVE_INFINITY ? await waitForAbort(signal) : await pause(wait, signal),
      )
    }
    return undefined
  }

  #roomAt(): { readonly at: number; readonly limit: string } {
    const now = this.#options.now()
    const kept = [...this.#kept]
    const begun = kept.flatMap(each => each.begun ?? [])
    const waiting = kept.length - begun.length
    const parts = begun.reduce((sum, each) => sum + each.parts, waiting)
    const rooms = this.#windows.map(({ name, window }) => ({
      at: window.getNextTime(now, parts),
      limit: name,
    }))
    if (this.#spacing !== undefined) {
      const { name, spacing } = this.#spacing
      rooms.push({ at: spacing.getNextTime(now, begun, waiting), limit: name })
    }
    return rooms.reduce((last, each) => (each.at > last.at ? each : last), { at: now, limit: '' })
  }

  #keep(): ReservedSlot {
    const kept = { jitter: 0.5 + this.#options.random() }
    this.#kept.add(kept)
    return kept
  }

  #end(kept: ReservedSlot, parts: number): void {
    const { now, onSent } = this.#options
    this.#kept.delete(kept)
    if (parts > 0) {
      const at = now()
      this.#note(at, { at: kept.begun?.at ?? at, parts, jitter: kept.jitter })
      onSent?.(parts)
    }
    this.#change()
  }

  #note(at: number, begun: StartedParts): void {
    this.#spacing?.spacing.add(begun)
    for (const { window } of this.#windows) window.add({ at, parts: begun.parts })
  }

  /** What was waited for may be there sooner, or later. */
  #change(): void {
    this.#changed.abort()
    this.#changed = new AbortController()
  }
}

async function waitForAbort(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
}
